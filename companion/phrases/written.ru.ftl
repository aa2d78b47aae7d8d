# Русский: то, что читают в таблицах, на графиках и в отчётах.

## Партии

date = %d.%m.%Y %H:%M

game = партия
started = начало
players = игроки
state = состояние

unfinished = не окончена
won = выиграна
won-by = выиграл { $seat }
abandoned = прервана
broken = испорчена

no-game-fits = таких партий нет
no-games = в { $where } ещё нет партий: `pachisi demo` сыграет одну
no-game-counts = считать нечего: вечер длится от полудня своего дня до следующего
in-the-bank = { $game }: { $state }, в банке { $amount } { $unit }

right = { $game }: верно ({ $what })
a-record = запись
events = { $count ->
    [one] { $count } событие
    [few] { $count } события
   *[other] { $count } событий
}
sealed = печать { $seal }
seen-alike = снимки: { $alike } из { $scenes } снова поняты так же

delete-one = Удалить эту партию навсегда?
delete-many = Удалить эти партии ({ $count }) навсегда?
nothing-deleted = ничего не удалено

## Статистика

player = игрок
games = партий
games-won = побед
dealt = выбил
suffered = потерял
fines = штрафы
passes = пропуски
illegal = ошибки
balance = итог
throws-a-six = бросков на шестёрку
longest-wait = самое долгое ожидание
seconds-a-move = секунд на ход
comebacks = отыгрышей
from-behind = отставание
squares = { $count ->
    [one] { $count } поле
    [few] { $count } поля
   *[other] { $count } полей
}
owes = { $payer } → { $payee }: долг { $amount } { $unit }

the-die = кубик: { $words }
throws-of = броски, { $name }: { $words }
throws-too-few = бросков { $throws }: слишком мало, чтобы судить о кубике
throws-tested = бросков { $throws }, хи-квадрат { $squares } при { $degrees } степенях свободы, p = { $chance }: { $found }. По стольким броскам была бы заметна грань, выпадающая на { $noticed } чаще, и едва ли меньшее.
die-hardly = честный кубик почти никогда не бывает так неровен: возьмите другой
die-seldom = честный кубик так неровен в одном случае из { $times }: бросайте ещё
die-nothing = против кубика ничто не говорит, но честности это не доказывает
caveat = Из двадцати честных кубиков или игроков один покажется при такой проверке нечестным; и она ничего не говорит о том, кто как бросал, и о неверно прочитанных бросках.

plot-throws = бросков { $throws }; чёрточки — как у честного кубика
plot-value = число
plot-knock-outs = выбитые шашки
plot-waits = бросков до шестёрки; линия — как у честного кубика
plot-wait = бросков
plot-times = время от броска до хода
plot-seconds = секунды
plot-balances = итог от партии к партии
plot-won = выигранные партии
plot-payments = кто кому должен

## Прочитанный снимок

no-board = доски нет: { $reason }
board = доска ({ $sure }): { $corners }
corner-at = { $corner } в { $place }
checkers = шашки: { $list }
none = нет
other-boards = { $count ->
    [one] на снимке ещё { $count } доска: она не прочитана
    [few] на снимке ещё { $count } доски: они не прочитаны
   *[other] на снимке ещё { $count } досок: они не прочитаны
}
covered = что-то закрывает часть доски
die-shows = кубик в { $place }: { $value } ({ $sure })
die-cocked = кубик в { $place } лежит косо
die-unreadable = кубик в { $place } не разобрать

colour-red = красная
colour-orange = оранжевая
colour-yellow = жёлтая
colour-green = зелёная
colour-blue = синяя
colour-purple = фиолетовая
colour-white = белая
colour-black = чёрная
colour-brown = коричневая
