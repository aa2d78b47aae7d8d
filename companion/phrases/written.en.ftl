# English: what is read in tables, on plots and in reports.

## Games

date = %d %b %Y %H:%M

game = game
started = started
players = players
state = state

unfinished = unfinished
won = won
won-by = won by { $seat }
abandoned = abandoned
broken = broken

no-game-fits = no game is so
no-games = there is no game in { $where } yet: `pachisi demo` plays one
no-game-counts = no game is counted: an evening is from its day's noon to the next
in-the-bank = { $game }: { $state }, { $amount } { $unit } in the bank

right = { $game }: right ({ $what })
a-record = a record
events = { $count ->
    [one] { $count } event
   *[other] { $count } events
}
sealed = sealed { $seal }
seen-alike = { $alike } of { $scenes } scenes seen alike again

delete-one = Delete this game for good?
delete-many = Delete these { $count } games for good?
nothing-deleted = nothing was deleted

## Statistics

player = player
games = games
games-won = won
dealt = dealt
suffered = suffered
fines = fines
passes = passes
illegal = illegal
balance = balance
throws-a-six = throws a six
longest-wait = longest wait
seconds-a-move = seconds a move
comebacks = comebacks
from-behind = from behind by
squares = { $count ->
    [one] { $count } square
   *[other] { $count } squares
}
owes = { $payer } owes { $payee } { $amount } { $unit }

the-die = the die: { $words }
throws-of = { $name }'s throws: { $words }
throws-too-few = { $throws } throws: too few to tell anything of the die
throws-tested = { $throws } throws, chi-squared { $squares } with { $degrees } degrees of freedom, p = { $chance }: { $found }. So many throws would show a face that comes up { $noticed } too often, and hardly less.
die-hardly = a fair die is hardly ever so uneven: take another one
die-seldom = a fair die is so uneven once in { $times } times: throw it more
die-nothing = nothing speaks against the die, which does not prove it fair
caveat = Of twenty fair dice, or players, one looks unfair in such a test; and it says nothing of who threw how, nor of throws that were read wrongly.

plot-throws = { $throws } throws; the lines are what a fair die gives
plot-value = value
plot-knock-outs = knock-outs
plot-waits = throws until a six; the line is what a fair die gives
plot-wait = throws
plot-times = time from throw to move
plot-seconds = seconds
plot-balances = balance from game to game
plot-won = games that were won
plot-payments = who owes whom

## A picture that was read

no-board = no board: { $reason }
board = board ({ $sure }): { $corners }
corner-at = { $corner } at { $place }
checkers = checkers: { $list }
none = none
other-boards = { $count ->
    [one] another board is in the picture: it is not read
   *[other] { $count } other boards are in the picture: they are not read
}
covered = something covers part of the board
die-shows = die at { $place } shows { $value } ({ $sure })
die-cocked = die at { $place } is cocked
die-unreadable = die at { $place } is unreadable

colour-red = red
colour-orange = orange
colour-yellow = yellow
colour-green = green
colour-blue = blue
colour-purple = purple
colour-white = white
colour-black = black
colour-brown = brown
