# English. `$who` is a player, `$checker` a checker of a colour, `$from`, `$to`, `$at` are squares.

## Words

list-comma = { $first }, { $second }
list-and = { $first } and { $second }
list-or = { $first } or { $second }

square = { $file }{ $rank }

square-named = { $square }
    .from = { $square }

place-ring = the { $nth } square after { $who }'s corner
    .from = from the { $nth } square after { $who }'s corner
place-ring-own = the { $nth } square after your corner
    .from = from the { $nth } square after your corner
place-corner = { $who }'s corner
    .from = from { $who }'s corner
place-corner-own = your corner
    .from = from your corner
place-home = the { $nth } square of { $who }'s home
    .from = from the { $nth } square of { $who }'s home
place-home-own = the { $nth } square of your home
    .from = from the { $nth } square of your home

nth =
    { $number ->
        [1] first
        [2] second
        [3] third
        [4] fourth
        [5] fifth
        [6] sixth
        [7] seventh
        [8] eighth
        [9] ninth
        [10] tenth
        [11] eleventh
        [12] twelfth
        [13] thirteenth
        [14] fourteenth
        [15] fifteenth
        [16] sixteenth
        [17] seventeenth
        [18] eighteenth
        [19] nineteenth
       *[other] twentieth
    }

player-red = Red
player-orange = Orange
player-yellow = Yellow
player-green = Green
player-blue = Blue
player-purple = Purple
player-white = White
player-black = Black
player-brown = Brown
player-named = { $name }

checker-red = red checker
    .a = a red checker
    .count =
        { $count ->
            [1] one red checker
           *[other] { COUNT($count) } red checkers
        }
checker-orange = orange checker
    .a = an orange checker
    .count =
        { $count ->
            [1] one orange checker
           *[other] { COUNT($count) } orange checkers
        }
checker-yellow = yellow checker
    .a = a yellow checker
    .count =
        { $count ->
            [1] one yellow checker
           *[other] { COUNT($count) } yellow checkers
        }
checker-green = green checker
    .a = a green checker
    .count =
        { $count ->
            [1] one green checker
           *[other] { COUNT($count) } green checkers
        }
checker-blue = blue checker
    .a = a blue checker
    .count =
        { $count ->
            [1] one blue checker
           *[other] { COUNT($count) } blue checkers
        }
checker-purple = purple checker
    .a = a purple checker
    .count =
        { $count ->
            [1] one purple checker
           *[other] { COUNT($count) } purple checkers
        }
checker-white = white checker
    .a = a white checker
    .count =
        { $count ->
            [1] one white checker
           *[other] { COUNT($count) } white checkers
        }
checker-black = black checker
    .a = a black checker
    .count =
        { $count ->
            [1] one black checker
           *[other] { COUNT($count) } black checkers
        }
checker-brown = brown checker
    .a = a brown checker
    .count =
        { $count ->
            [1] one brown checker
           *[other] { COUNT($count) } brown checkers
        }

value =
    { $value ->
        [1] one
        [2] two
        [3] three
        [4] four
        [5] five
        [6] six
       *[other] { COUNT($value) }
    }

amount-points =
    { COUNT($count) } { $count ->
        [one] point
       *[other] points
    }
amount-chips =
    { COUNT($count) } { $count ->
        [one] chip
       *[other] chips
    }
amount-cents =
    { COUNT($count) } { $count ->
        [one] cent
       *[other] cents
    }
amount-euros =
    { COUNT($count) } { $count ->
        [one] euro
       *[other] euros
    }
amount-dollars =
    { COUNT($count) } { $count ->
        [one] dollar
       *[other] dollars
    }
amount-pence =
    { COUNT($count) } { $count ->
        [one] penny
       *[other] pence
    }
amount-pounds =
    { COUNT($count) } { $count ->
        [one] pound
       *[other] pounds
    }
amount-kopecks =
    { COUNT($count) } { $count ->
        [one] kopeck
       *[other] kopecks
    }
amount-roubles =
    { COUNT($count) } { $count ->
        [one] rouble
       *[other] roubles
    }
amount-other = { COUNT($count) } { $unit }

## What a player did: one sentence of clauses

did = { $who } { $clauses }

clause-throws = throws { $value }
clause-enters = enters on { $to }
clause-moves = moves { $from-from } to { $to }
clause-passes = passes
clause-cannot-move = cannot move
clause-knocks-out = knocks out { $victims }
clause-brings-home =
    brings { $count ->
        [1] the first
        [2] the second
        [3] the third
       *[other] the last
    } checker home
clause-throws-again-six = throws again for the six
clause-throws-again-knock-out = throws again for it
clause-throws-twice-more = throws twice more
clause-wins = wins

victim =
    { $count ->
        [1] { $who }
        [2] two of { $who }
        [3] three of { $who }
       *[other] all four of { $who }
    }

## Game and bank

game-started = A new game: { $players }, stake { $stake }, fine { $fine }
first-player = { $who } begins: throw
pays = { $who } pays { $amount }
fines = { $payments }, the bank holds { COUNT($bank) }
bank-pays = The bank pays { $who } { $amount }
gets-back = { $who } gets back { $amount }
abandoned = The game is abandoned: { $payments }

## The die

unreadable-cocked = The die is cocked: { $who }, throw again
unreadable-several = More than one die was thrown: { $who }, throw one
unreadable = I cannot read the die: { $who }, throw again

## Mending

cleared = All is in place again
question-move = Which move was it: { $choices }
question-throw = What did the die show: { $choices }
question-die = What does the die show: { $choices }
choice-again = nothing that counts
choice-enter = entering on { $to }
choice-pass = a pass
choice-none = none yet
answered = Understood: { $choice }
taken-back = Taken back
log-right = The board is to follow the log
corrected = Corrected: { $what }
position-set = The position is set
renamed = The name is changed: { $who }
left = { $who } leaves the game
restore = To put the board right, { $cure }
unclear-squares = I cannot make out { $squares }: put each checker in the middle of its square
    .more = I cannot make out { $squares } and others: put each checker in the middle of its square
unclear-die = I cannot make out the die: say what it shows

## The table

board-lost-turned = The board was turned, and I cannot tell which way: turn it back, or type same or turned
board-lost-moved = The board has moved or is covered: let it lie still and free
board-lost-dark = It is too dark to see the board: light a lamp, and see that nothing covers the lens
board-lost-bright = The picture is too bright: move the lamp that shines on the board, or make it dimmer
board-lost = I cannot see the board: lay it free where the camera sees all of it
board-found = I see the board again
camera-lost = The camera gives no picture: see that it is connected
camera-found = The camera is back
obscured = Something covers the board: take it away
visible = The board is free again
paused = The game is paused
resumed = The game goes on

## What is awaited of whom

prompt-opening = { $who }, throw for the start
prompt-opening-again = { $who }, throw again for the start
prompt-throw = { $who }, throw
prompt-no-die = I see no die: { $who }, throw it where the camera sees it
prompt-throw-again = { $who }, throw again
prompt-move = { $who }, move { $value }
prompt-move-or-pass = { $who }, move { $value } or pass
prompt-enter = { $who }, enter on { $to }
prompt-enter-or-move = { $who }, enter on { $to } or move { $value }
prompt-won = { $who } has won
prompt-abandoned = The game is abandoned

## Moves named

move = { $from-from } to { $to }
enter = enter on { $to }
enter-one = enter a checker
pass = pass
play = play { $moves }
play-value = move { $value }

## What is wrong, and what to do about it (".plain" where no checker can be named)

wrong = { $what }: { $cure }
cure-and = { $cure }, and { $then }
cure-or = { $cure }, or { $then }
void-cast = That throw does not count

wrong-game-over = The game is over
wrong-unknown-checker = There is { $checker-a } too many on { $at }
    .plain = There is a checker too many
    .nobody = Nobody plays the { $checker } on { $at }
wrong-moved-before-throw = { $who } moved before throwing
wrong-two-moves = { $who } moved two checkers with one throw
    .more = { $who } moved { $count } checkers with one throw
wrong-removed-without-knock-out = { $checker-a } is gone from { $at }
    .plain = A checker is gone
wrong-not-your-checker = { $who } moved { $checker-a }
    .plain = { $who } moved another player's checker
wrong-off-path = The checker on { $at } is off the way
    .plain = A checker stands off the way
wrong-entry-needs-six = { $who } needs a six to enter
wrong-wrong-start-square = { $who } enters on { $start } only
wrong-left-home = A checker at home stays at home
wrong-home-backwards = No checker goes back inside its home
wrong-home-jump = No checker jumps inside its home
wrong-wrong-direction = { $who } moved backwards
wrong-foreign-home = The checker on { $at } is in another home
    .plain = A checker stands in another home
wrong-second-lap = { $who } went past their own corner
wrong-overshoot = { $value } goes beyond the home
wrong-wrong-distance = { $who } moved { $steps }, the die shows { $value }
    .plain = { $who } did not move { $value }
wrong-blocked = The way is closed
wrong-own-occupied = Only one { $checker } may stand on { $at }
    .plain = Only one checker may stand on a square
wrong-corner-occupied-by-owner = The owner of the corner stands on { $at }
    .plain = The owner of the corner stands on it
wrong-corner-reserved = Nobody stops on another's corner
wrong-home-square-full = A checker stands on { $at } already
    .plain = The home square is taken
wrong-knocked-out-left-on-board = { $victims } is knocked out on { $at }
    .more = { $victims } are knocked out on { $at }
    .plain = A knocked-out checker still stands there
wrong-must-enter = { $who } must enter with a six
wrong-must-hit = { $who } must knock out
wrong-must-move = { $who } must move { $value } first
wrong-die-changed = The die was turned
wrong-out-of-turn = It is not the turn of { $who }

cure-put-back = put it back on { $from }
cure-return = put it back
cure-put-both-back = put both back
cure-put-one-back = put one of them back
cure-put-that-back = put the one on { $at } back on { $from }
cure-put-all-back = put them back on { $squares }
    .both = put both back on { $squares }
cure-put-back-and-off = put one back on { $from }, take the other off
cure-take-all-off = take them off
    .both = take both off
cure-take-off = take it off { $at }
cure-take-it-off = take it off
cure-take-them-off = take them off
cure-others = put { $squares } right too
    .more = put { $squares } and others right too
    .all = put the other squares right too
cure-turn-die = turn it back to { $value }
cure-clear = clear { $squares }
cure-place = put { $checkers } on { $at }
cure-place-more = put { $checkers } more on { $at }
cure-place-only = put just { $checkers } on { $at }
cure-leave = leave just { $checkers } on { $at }
cure-board = put the board right

page-code = The code for your phone is { $code }

## Labels of the terminal's view

label-throw = Throw
label-moves = Moves
label-player = Player
label-waiting = waiting
label-home = home
label-knocked-out = lost
label-balance = balance
label-bank = Bank
