"""What must be said of what: a table of sentences in both languages."""

from collections.abc import Sequence
from dataclasses import replace

from referee.events import (
    About,
    Answer,
    BoardAgrees,
    BoardDiffers,
    BoardFound,
    BoardLost,
    By,
    CameraFound,
    CameraLost,
    CheckerCameHome,
    CheckerEntered,
    CheckerKnockedOut,
    CheckerMoved,
    Corrected,
    DieThrown,
    DieUnreadable,
    Difference,
    Event,
    ExtraThrow,
    ExtraThrowReason,
    FinePaid,
    FirstPlayer,
    Found,
    GameAbandoned,
    GameStarted,
    GameWon,
    IllegalCleared,
    IllegalMove,
    Obscured,
    OpeningThrow,
    PassReason,
    Paused,
    PlayerLeft,
    PlayerRenamed,
    PositionSet,
    Question,
    Resumed,
    ThrowPassed,
    Unclear,
    Visible,
)
from referee.match import Match, Phase
from referee.position import parse_position
from referee.reasons import Reason
from tabletop import Colour, Seat, parse_square

COLOURS = {Seat.D4: Colour.RED, Seat.D3: Colour.GREEN, Seat.D2: Colour.BLUE, Seat.D1: Colour.BLACK}
KNOCK_OUT = ExtraThrowReason.KNOCK_OUT
SIX = ExtraThrowReason.SIX


def at(name: str) -> int:
    """Return the square of a name."""
    return parse_square(name)


def setup(
    colours: dict[Seat, Colour] | None = None,
    names: dict[Seat, str] | None = None,
    unit: str = "points",
) -> GameStarted:
    """Return the start of a game, of four players by default."""
    seats = tuple((colours or COLOURS).items())
    return GameStarted(seats, tuple((names or {}).items()), (), 10, 1, unit, "1.0.0", "")


def match(
    position: str = "R*4/R*4/R*4/R*4 D4 1",
    die: int | None = None,
    game: GameStarted | None = None,
) -> Match:
    """Return a state without a history: *position*, and the throw that is owed a move."""
    start = Match.start(game or setup())
    return replace(
        start,
        position=parse_position(position, start.rules),
        phase=Phase.THROW if die is None else Phase.MOVE,
        die=die,
    )


def moved(source: str, target: str, steps: int, seat: Seat = Seat.D4) -> CheckerMoved:
    """Return the event of a move."""
    return CheckerMoved(seat, COLOURS[seat], at(source), at(target), steps)


def knocked(seat: Seat, square: str, bank: int, by: Seat = Seat.D4) -> tuple[Event, Event]:
    """Return the events of a checker of *seat* knocked out."""
    return CheckerKnockedOut(seat, COLOURS[seat], at(square), by), FinePaid(seat, 1, bank)


def wrong(
    reason: Reason,
    found: tuple[Colour, str | None, str | None] | None = None,
    allowed: tuple[str, ...] = (),
    die: int | None = 3,
    seat: Seat = Seat.D2,
    differs: tuple[Difference, ...] = (),
) -> IllegalMove:
    """Return a wrong move; what was found is a colour and the names of two squares."""
    checker = None
    if found is not None:
        colour, *ends = found
        checker = Found(colour, *(None if end is None else at(end) for end in ends))
    return IllegalMove(seat, COLOURS[seat], reason, checker, allowed, die, differs)


HAPPENINGS: list[tuple[Sequence[Event], list[str], list[str]]] = [
    (
        [DieThrown(Seat.D4, Colour.RED, 5)],
        ["Red throws five."],
        ["Красные бросают пять."],
    ),
    (
        [OpeningThrow(Seat.D2, Colour.BLUE, 6), FirstPlayer(Seat.D4, Colour.RED)],
        ["Blue throws six.", "Red begins: throw."],
        ["Синие бросают шесть.", "Начинают красные: бросайте."],
    ),
    (
        [
            DieThrown(Seat.D4, Colour.RED, 1),
            ThrowPassed(Seat.D4, Colour.RED, PassReason.NO_MOVE),
        ],
        ["Red throws one and cannot move."],
        ["Красные бросают один и не могут ходить."],
    ),
    (
        [
            DieThrown(Seat.D4, Colour.RED, 6),
            ThrowPassed(Seat.D4, Colour.RED, PassReason.NO_MOVE),
            ExtraThrow(Seat.D4, SIX),
        ],
        ["Red throws six, cannot move and throws again for the six."],
        ["Красные бросают шесть, не могут ходить и бросают ещё раз за шестёрку."],
    ),
    (
        [
            ThrowPassed(Seat.D4, Colour.RED, PassReason.CHOSEN),
            DieThrown(Seat.D3, Colour.GREEN, 4),
        ],
        ["Red passes.", "Green throws four."],
        ["Красные пропускают ход.", "Зелёные бросают четыре."],
    ),
    (
        [CheckerEntered(Seat.D4, Colour.RED, at("b1")), ExtraThrow(Seat.D4, SIX)],
        ["Red enters on b1 and throws again for the six."],
        ["Красные вводят шашку на b1 и бросают ещё раз за шестёрку."],
    ),
    (
        [moved("b1", "f1", 4), *knocked(Seat.D2, "f1", 41), ExtraThrow(Seat.D4, KNOCK_OUT)],
        ["Red moves b1 to f1, knocks out Blue and throws again for it.",
         "Blue pays 1 point, the bank holds 41."],
        ["Красные идут с b1 на f1, выбивают шашку синих и бросают за это ещё раз.",
         "Синие платят 1 очко, в банке 41."],
    ),
    (
        [
            moved("b1", "f1", 4),
            *knocked(Seat.D2, "f1", 41),
            *knocked(Seat.D2, "f1", 42),
            *knocked(Seat.D3, "f1", 43),
            ExtraThrow(Seat.D4, KNOCK_OUT),
        ],
        ["Red moves b1 to f1, knocks out two of Blue and Green and throws again for it.",
         "Blue pays 2 points and Green pays 1 point, the bank holds 43."],
        ["Красные идут с b1 на f1, выбивают две шашки синих и шашку зелёных "
         "и бросают за это ещё раз.",
         "Синие платят 2 очка и зелёные платят 1 очко, в банке 43."],
    ),
    (
        [
            moved("b1", "h1", 6),
            *knocked(Seat.D2, "h1", 41),
            ExtraThrow(Seat.D4, SIX),
            ExtraThrow(Seat.D4, KNOCK_OUT),
        ],
        ["Red moves b1 to h1, knocks out Blue and throws twice more.",
         "Blue pays 1 point, the bank holds 41."],
        ["Красные идут с b1 на h1, выбивают шашку синих и бросают ещё два раза.",
         "Синие платят 1 очко, в банке 41."],
    ),
    (
        [moved("a4", "b2", 4), CheckerCameHome(Seat.D4, at("b2"), 2)],
        ["Red moves a4 to b2 and brings the second checker home."],
        ["Красные идут с a4 на b2 и приводят домой вторую шашку."],
    ),
    (
        [
            moved("a4", "b2", 4),
            CheckerCameHome(Seat.D4, at("b2"), 4),
            GameWon(Seat.D4, Colour.RED, 24, ((Seat.D4, 14), (Seat.D2, -14))),
        ],
        ["Red moves a4 to b2, brings the last checker home and wins.",
         "The bank pays Red 24 points."],
        ["Красные идут с a4 на b2, приводят домой последнюю шашку и выигрывают.",
         "Банк платит красным 24 очка."],
    ),
    (
        [Corrected(By.BOARD, 7, "shown"), moved("e1", "h1", 3)],
        ["Corrected: Red moves e1 to h1.", "Red, throw."],
        ["Поправка: красные идут с e1 на h1.", "Красные, бросайте."],
    ),
    (
        [Corrected(By.COMMAND, 0, "asked")],
        ["Taken back.", "Red, throw."],
        ["Ход взят назад.", "Красные, бросайте."],
    ),
    (
        [IllegalCleared(Seat.D4), moved("b1", "e1", 3)],
        ["Red moves b1 to e1."],
        ["Красные идут с b1 на e1."],
    ),
    (
        [IllegalCleared(Seat.D4)],
        ["All is in place again.", "Red, throw."],
        ["Всё снова на месте.", "Красные, бросайте."],
    ),
    (
        [Answer(3, "b1-e1", By.BOARD), moved("b1", "e1", 3)],
        ["Red moves b1 to e1."],
        ["Красные идут с b1 на e1."],
    ),
    (
        [Answer(3, "5", By.CONSOLE)],
        ["Understood: five.", "Red, throw."],
        ["Понятно: пять.", "Красные, бросайте."],
    ),
    (
        [Question(3, About.MOVE, ("@b1", "b1-e1", "--"))],
        ["Which move was it: entering on b1, b1 to e1 or a pass?"],
        ["Какой это был ход: ввод шашки на b1, с b1 на e1 или пропуск хода?"],
    ),
    (
        [Question(3, About.DIE, ("5", "6"))],
        ["What does the die show: five or six?"],
        ["Сколько на кубике: пять или шесть?"],
    ),
    (
        [DieUnreadable(Seat.D4, "cocked")],
        ["The die is cocked: Red, throw again."],
        ["Кубик лежит косо: красные, бросайте ещё раз."],
    ),
    (
        [DieUnreadable(Seat.D4, "several")],
        ["More than one die was thrown: Red, throw one."],
        ["Брошено больше одного кубика: красные, бросайте один."],
    ),
    (
        [DieUnreadable(Seat.D4, "unreadable")],
        ["I cannot read the die: Red, throw again."],
        ["Не вижу, что на кубике: красные, бросайте ещё раз."],
    ),
    (
        [PositionSet(By.COMMAND, "R*4/R*4/R*4/R*4 D4 1", "asked")],
        ["The position is set.", "Red, throw."],
        ["Позиция поставлена.", "Красные, бросайте."],
    ),
    (
        [PlayerRenamed(Seat.D4, "Anna")],
        ["The name is changed: Red."],
        ["Имя изменено: красные."],
    ),
    (
        [PlayerLeft(Seat.D2, Colour.BLUE)],
        ["Blue leaves the game.", "Red, throw."],
        ["Синие выходят из игры.", "Красные, бросайте."],
    ),
    (
        [BoardDiffers((Difference(at("b1"), (Colour.RED,), ()),
                       Difference(at("c1"), (), (Colour.RED, Colour.RED))))],
        ["To put the board right, clear b1 and put 2 red checkers on c1."],
        ["Чтобы доска стояла верно, освободите b1 и поставьте 2 красные шашки на c1."],
    ),
    ([BoardAgrees()], [], []),
    (
        [Unclear((at("b1"), at("c1")))],
        ["I cannot make out b1 and c1: put each checker in the middle of its square."],
        ["Не могу разобрать b1 и c1: поставьте шашки на середину полей."],
    ),
    (
        [Unclear(())],
        ["I cannot make out the die: say what it shows."],
        ["Не могу разобрать, что на кубике: подскажите."],
    ),
    (
        [BoardLost("moved")],
        ["The board has moved or is covered: let it lie still and free."],
        ["Доска сдвинулась или закрыта: пусть лежит спокойно и свободно."],
    ),
    (
        [BoardLost("gone")],
        ["I cannot see the board: lay it free where the camera sees all of it."],
        ["Не вижу доску: положите её так, чтобы камера видела её целиком и её ничто не закрывало."],
    ),
    (
        [BoardFound()],
        ["I see the board again.", "Red, throw."],
        ["Снова вижу доску.", "Красные, бросайте."],
    ),
    (
        [CameraLost()],
        ["The camera gives no picture: see that it is connected."],
        ["Камера не даёт изображения: проверьте, подключена ли она."],
    ),
    (
        [CameraFound()],
        ["The camera is back.", "Red, throw."],
        ["Камера снова работает.", "Красные, бросайте."],
    ),
    (
        [Obscured()],
        ["Something covers the board: take it away."],
        ["Что-то закрывает доску: освободите её."],
    ),
    ([Visible()], ["The board is free again."], ["Доска снова открыта."]),
    ([Paused()], ["The game is paused."], ["Пауза."]),
    (
        [Resumed()],
        ["The game goes on.", "Red, throw."],
        ["Игра продолжается.", "Красные, бросайте."],
    ),
    (
        [GameAbandoned(((Seat.D4, 10), (Seat.D2, 12)))],
        ["The game is abandoned: Red gets back 10 points and Blue gets back 12 points."],
        ["Партия прервана: красные получают назад 10 очков и синие получают назад 12 очков."],
    ),
    (
        [setup()],
        ["A new game: Red, Green, Blue and Black, stake 10 points, fine 1 point."],
        ["Новая партия: красные, зелёные, синие и чёрные, ставка 10 очков, штраф 1 очко."],
    ),
]  # fmt: skip

BLUE_ON_C1 = "R*4/R*4/R*2,c1,e8/R*4 D2 1"

WRONGS: list[tuple[IllegalMove, str, str]] = [
    (
        wrong(Reason.GAME_OVER, (Colour.BLUE, "c1", "d1")),
        "The game is over: put it back on c1.",
        "Партия окончена: верните шашку на c1.",
    ),
    (wrong(Reason.GAME_OVER), "The game is over.", "Партия окончена."),
    (
        wrong(Reason.UNKNOWN_CHECKER, (Colour.RED, None, "e4")),
        "There is a red checker too many on e4: take it off.",
        "Лишняя красная шашка на e4: снимите её.",
    ),
    (
        wrong(Reason.UNKNOWN_CHECKER, (Colour.ORANGE, None, "e4")),
        "Nobody plays the orange checker on e4: take it off.",
        "Оранжевая шашка на e4 ничья: снимите её.",
    ),
    (
        wrong(Reason.MOVED_BEFORE_THROW, (Colour.BLUE, "c1", "f1"), die=None),
        "Blue moved before throwing: put it back on c1.",
        "Синие ходят без броска: верните шашку на c1.",
    ),
    (
        wrong(Reason.TWO_MOVES, (Colour.BLUE, "c1", "f1"), ("c1-f1", "e8-b8")),
        "Blue moved two checkers with one throw: put both back.",
        "Синие передвигают две шашки за один бросок: верните обе.",
    ),
    (
        wrong(Reason.REMOVED_WITHOUT_KNOCK_OUT, (Colour.BLUE, "c1", None), ("c1-f1",)),
        "A blue checker is gone from c1: put it back, or play c1 to f1.",
        "С c1 пропала синяя шашка: верните её или сыграйте с c1 на f1.",
    ),
    (
        wrong(Reason.NOT_YOUR_CHECKER, (Colour.RED, "b1", "e1")),
        "Blue moved a red checker: put it back on b1.",
        "Синие передвигают красную шашку: верните шашку на b1.",
    ),
    (
        wrong(Reason.OFF_PATH, (Colour.BLUE, "c1", "d3"), ("c1-f1",)),
        "The checker on d3 is off the way: put it back on c1, or play c1 to f1.",
        "Шашка на d3 стоит не на пути: верните шашку на c1 или сыграйте с c1 на f1.",
    ),
    (
        wrong(Reason.ENTRY_NEEDS_SIX, (Colour.BLUE, None, "g8")),
        "Blue needs a six to enter: take it off g8.",
        "Синие могут войти только с шестёркой: снимите шашку с g8.",
    ),
    (
        wrong(Reason.WRONG_START_SQUARE, (Colour.BLUE, None, "h8"), ("@g8", "c1-h2"), 6),
        "Blue enters on g8 only: take it off h8.",
        "Синие входят только на g8: снимите шашку с h8.",
    ),
    (
        wrong(Reason.LEFT_HOME, (Colour.BLUE, "h8", "g8"), ("--",)),
        "A checker at home stays at home: put it back on h8, and pass.",
        "Из дома шашка не выходит: верните шашку на h8 и пропустите ход.",
    ),
    (
        wrong(Reason.HOME_BACKWARDS, (Colour.BLUE, "g7", "h8")),
        "No checker goes back inside its home: put it back on g7.",
        "В доме шашка назад не ходит: верните шашку на g7.",
    ),
    (
        wrong(Reason.HOME_JUMP, (Colour.BLUE, "h8", "f6")),
        "No checker jumps inside its home: put it back on h8.",
        "В доме через шашку не прыгают: верните шашку на h8.",
    ),
    (
        wrong(Reason.WRONG_DIRECTION, (Colour.BLUE, "c1", "b1"), ("c1-f1",)),
        "Blue moved backwards: put it back on c1, or play c1 to f1.",
        "Синие идут назад: верните шашку на c1 или сыграйте с c1 на f1.",
    ),
    (
        wrong(Reason.FOREIGN_HOME, (Colour.BLUE, "c1", "b2")),
        "The checker on b2 is in another home: put it back on c1.",
        "Шашка на b2 стоит в чужом доме: верните шашку на c1.",
    ),
    (
        wrong(Reason.SECOND_LAP, (Colour.BLUE, "h7", "g8")),
        "Blue went past their own corner: put it back on h7.",
        "Синие проходят мимо своего угла: верните шашку на h7.",
    ),
    (
        wrong(Reason.OVERSHOOT, (Colour.BLUE, "h7", "f6"), die=6),
        "Six goes beyond the home: put it back on h7.",
        "Шесть для дома слишком много: верните шашку на h7.",
    ),
    (
        wrong(Reason.WRONG_DISTANCE, (Colour.BLUE, "c1", "h1"), ("c1-f1", "e8-b8")),
        "Blue moved five, the die shows three: put it back on c1, or play c1 to f1 or e8 to b8.",
        "Синие идут на пять, а на кубике три: "
        "верните шашку на c1 или сыграйте с c1 на f1 или с e8 на b8.",
    ),
    (
        wrong(Reason.BLOCKED, (Colour.BLUE, "c1", "f1")),
        "The way is closed: put it back on c1.",
        "Путь закрыт: верните шашку на c1.",
    ),
    (
        wrong(Reason.OWN_OCCUPIED, (Colour.BLUE, "c1", "f1")),
        "Only one blue checker may stand on f1: put it back on c1.",
        "На f1 может стоять только одна синяя шашка: верните шашку на c1.",
    ),
    (
        wrong(Reason.CORNER_OCCUPIED_BY_OWNER, (Colour.BLUE, "a2", "a1")),
        "The owner of the corner stands on a1: put it back on a2.",
        "На a1 стоит хозяин угла: верните шашку на a2.",
    ),
    (
        wrong(Reason.CORNER_RESERVED, (Colour.BLUE, "a2", "a1")),
        "Nobody stops on another's corner: put it back on a2.",
        "На чужом углу не останавливаются: верните шашку на a2.",
    ),
    (
        wrong(Reason.HOME_SQUARE_FULL, (Colour.BLUE, "h7", "g7")),
        "A checker stands on g7 already: put it back on h7.",
        "На g7 уже стоит шашка: верните шашку на h7.",
    ),
    (
        wrong(
            Reason.KNOCKED_OUT_LEFT_ON_BOARD,
            (Colour.BLUE, "c1", "e1"),
            ("c1-e1",),
            differs=(Difference(at("e1"), (Colour.BLUE, Colour.GREEN), (Colour.GREEN,)),),
        ),
        "Green is knocked out on e1: take it off.",
        "На e1 выбита зелёная шашка: снимите её.",
    ),
    (
        wrong(Reason.MUST_ENTER, (Colour.BLUE, "c1", "h2"), ("@g8",), 6),
        "Blue must enter with a six: put it back on c1, and enter on g8.",
        "Синие, с шестёркой нужно войти: верните шашку на c1 и введите шашку на g8.",
    ),
    (
        wrong(Reason.MUST_HIT, (Colour.BLUE, "c1", "f1"), ("e8-b8",)),
        "Blue must knock out: put it back on c1, and play e8 to b8.",
        "Синие, нужно выбить шашку: верните шашку на c1 и сыграйте с e8 на b8.",
    ),
    (
        wrong(Reason.MUST_MOVE, allowed=("c1-f1", "e8-b8")),
        "Blue must move three first: play c1 to f1 or e8 to b8.",
        "Синие, сначала ходите на три: сыграйте с c1 на f1 или с e8 на b8.",
    ),
    (
        wrong(Reason.DIE_CHANGED),
        "The die was turned: turn it back to three.",
        "Кубик перевернули: поверните его на три.",
    ),
    (
        replace(wrong(Reason.OUT_OF_TURN), seat=Seat.D3, colour=Colour.GREEN),
        "It is not the turn of Green: Blue, move three.",
        "Сейчас не ход зелёных: синие, ходите на три.",
    ),
]

PROMPTS: list[tuple[Match, str, str]] = [
    (Match.start(setup()), "Red, throw for the start.", "Красные, бросайте за первый ход."),
    (match(), "Red, throw.", "Красные, бросайте."),
    (
        replace(match(), unreadable=True),
        "Red, throw again.",
        "Красные, бросайте ещё раз.",
    ),
    (match(BLUE_ON_C1, 3), "Blue, move three.", "Синие, ходите на три."),
    (
        replace(match("a1,b2,c3,d4/R*4/R*4/R*4 D4 0"), phase=Phase.OVER),
        "Red has won.",
        "Красные выигрывают.",
    ),
    (
        match("R*3,a1/R*4/R*4/R*4 D4 1", 3),
        "Red, move three or pass.",
        "Красные, ходите на три или пропустите ход.",
    ),
    (match(die=6), "Red, enter on b1.", "Красные, введите шашку на b1."),
    (
        match(BLUE_ON_C1, 6),
        "Blue, enter on g8 or move six.",
        "Синие, введите шашку на g8 или ходите на шесть.",
    ),
    (replace(match(), paused=True), "The game is paused.", "Пауза."),
    (
        replace(match(), phase=Phase.OVER, abandoned=True),
        "The game is abandoned.",
        "Партия прервана.",
    ),
    (
        replace(match(), question=Question(1, About.DIE, ("1", "2"))),
        "What does the die show: one or two?",
        "Сколько на кубике: один или два?",
    ),
    (
        replace(match(BLUE_ON_C1), wrong=replace(wrong(Reason.OUT_OF_TURN), seat=Seat.D4)),
        "It is not the turn of Red: Blue, throw.",
        "Сейчас не ход красных: синие, бросайте.",
    ),
    (
        replace(match(), paused=True, wrong=wrong(Reason.OFF_PATH)),
        "The game is paused.",
        "Пауза.",
    ),
    (
        replace(match(), hindrances=(BoardLost("turned"),)),
        "The board was turned, and I cannot tell which way: turn it back, or type same or turned.",
        "Доску повернули, и я не вижу, какой стороной: "
        "верните её или ответьте, перевёрнута ли она.",
    ),
    (
        replace(match(), hindrances=(BoardLost("moved"), CameraLost())),
        "The camera gives no picture: see that it is connected.",
        "Камера не даёт изображения: проверьте, подключена ли она.",
    ),
    (
        replace(match(BLUE_ON_C1, 3), hindrances=(Obscured(),)),
        "Something covers the board: take it away.",
        "Что-то закрывает доску: освободите её.",
    ),
    (
        replace(match(BLUE_ON_C1, 3), unclear=(at("c1"),)),
        "I cannot make out c1: put each checker in the middle of its square.",
        "Не могу разобрать c1: поставьте шашки на середину полей.",
    ),
]
