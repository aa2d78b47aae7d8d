"""The worked cases: what each sentence of the rules means on the board."""

from typing import Any

import pytest

from referee.bank import Bank
from referee.moves import parse_move, play, reason_against
from referee.opening import Opening
from referee.paths import path
from referee.position import Position
from referee.reasons import Reason
from referee.rules import ALLOWED, Rules, rules_from, value_text
from tabletop import Seat, square_name
from tests.referee.tables import choices, load, position_of, texts

TABLE = load("rule_cases.json")
CASES = TABLE["cases"]
SCENES = {"D01", "D02", "T01", "T02"}
"""Cases of what is seen or said at the table, for which one move of one checker is too little."""


def of_kind(*kinds: str) -> list[Any]:
    """Return the cases of some kinds as parameters named after them."""
    return [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] in kinds]


def test_the_table_is_whole() -> None:
    """There are 108 cases, and each is either tested here or known to be about a scene."""
    tested = {case["id"] for case in CASES if case["kind"] in ("move", "lot", "bank")}
    assert len(CASES) == 108
    assert {case["id"] for case in CASES} - tested == SCENES | {"T03", "T04"}


def test_paths_and_defaults_are_those_of_the_table() -> None:
    """The four paths and the default of every option stand in the table too."""
    for seat, names in TABLE["paths"].items():
        assert [square_name(at) for at in path(Seat(seat), Rules())] == names
    for name, value in TABLE["defaults"].items():
        assert getattr(Rules(), name) == value
    assert set(ALLOWED) - set(TABLE["defaults"]) == {"rotation"}


@pytest.mark.parametrize("case", of_kind("move"))
def test_move(case: dict[str, Any]) -> None:
    """The legal moves, the reason, and every consequence of a move are the known ones."""
    rules = rules_from(case["options"])
    setup, expected = case["setup"], case["expected"]
    position = position_of(**setup, rules=rules)
    die, move = case["die"], parse_move(case["move"])

    assert texts(choices(position, die, rules)) == sorted(expected["legal_moves"])
    reason = reason_against(position, die, move, rules)
    assert reason == expected.get("reason")
    if expected["verdict"] == "illegal":
        return

    played = play(position, die, move, rules)
    assert dict(played.knocked) == expected["hits"]
    assert played.again == expected["extra_throw"]
    assert played.throws_due == expected["throws_due"]
    assert played.winner == expected["winner"]
    assert expected["next"] == (None if played.winner else played.after.to_move)
    after = position_of(expected["after"], setup["to_move"], rules)
    assert played.after.checkers == after.checkers

    bank = Bank.open(position.seats, stake=0, fine=1)
    for seat, count in played.knocked:
        bank = bank.after_knock_out(seat, count)
    assert {seat: paid for seat, paid in bank.paid if paid} == expected["fines"]


@pytest.mark.parametrize("case", of_kind("lot"))
def test_opening_throws(case: dict[str, Any]) -> None:
    """The highest begins, tied leaders throw again, and turns follow from who begins."""
    rounds, expected = case["setup"]["rounds"], case["expected"]
    opening = Opening.start(Seat(seat) for seat in rounds[0])
    for thrown in rounds:
        for seat, value in thrown.items():
            assert opening.next == seat
            opening = opening.after(value)

    assert opening.first == expected["first"]
    assert list(opening.tied) == (expected["rethrow"] or [])
    if expected["order"]:
        position = Position.start((Seat(seat) for seat in rounds[0]), opening.first)
        for seat in expected["order"]:
            assert position.to_move == seat
            position = play(position, 1, None, Rules()).after


@pytest.mark.parametrize("case", of_kind("bank"))
def test_bank(case: dict[str, Any]) -> None:
    """Stakes and fines make the bank; the winner takes all, or everybody gets his own back."""
    setup, expected = case["setup"], case["expected"]
    bank = Bank.open((Seat(seat) for seat in setup["seats"]), setup["stake"], setup["fine"])
    for seat, count in setup["knocked"]:
        bank = bank.after_knock_out(Seat(seat), count)

    assert bank.total == expected["pot"]
    if setup["winner"]:
        assert bank.net(Seat(setup["winner"])) == expected["net"]
    else:
        assert bank.refund() == expected["refund"]
        assert {seat: bank.refund()[seat] - paid for seat, paid in bank.paid} == expected["net"]


def test_nothing_is_legal_after_the_win() -> None:
    """T03: once somebody has won, every act is answered with game_over."""
    rules = Rules()
    checkers = {"D4": "a1 b2 c3 d4", "D3": "h2"}
    won = position_of(checkers, "D4", rules, throws_due=0)._replace(winner=Seat.D4)
    for move in ("h2-h3", "a1-b2", "--"):
        assert reason_against(won, 1, parse_move(move), rules) is Reason.GAME_OVER
    assert choices(won, 1, rules) == []


def test_what_the_landing_knocks_out_is_known() -> None:
    """T04: the move is right, and says that D3's checker has to go from f1."""
    rules = Rules()
    position = position_of({"D4": "b1", "D3": "f1"}, "D4", rules)
    move = parse_move("b1-f1")
    assert reason_against(position, 4, move, rules) is None
    played = play(position, 4, move, rules)
    assert played.knocked == ((Seat.D3, 1),)
    assert square_name(played.knocked_square or 0) == "f1"


def test_every_value_of_every_option_has_a_case() -> None:
    """No option can be forgotten: each unusual value is played by some case or counted table."""
    played = {(n, value_text(v)) for case in CASES for n, v in case.get("options", {}).items()}
    for row in load("perft.json")["rows"]:
        played |= {(name, value_text(value)) for name, value in row["options"].items()}
    usual = Rules()
    for name, values in ALLOWED.items():
        if name not in ("rotation", "idle_tries"):
            unusual = {value_text(v) for v in values} - {value_text(getattr(usual, name))}
            assert {text for option, text in played if option == name} == unusual
