# Русский. Игрок: .acc, .gen, .dat, .form ("many" для цвета, "one" для имени).
# Шашка: .acc, .gen, .count (винительный падеж с числом).

## Слова

list-comma = { $first }, { $second }
list-and = { $first } и { $second }
list-or = { $first } или { $second }

square = { $file }{ $rank }
    .spoken =
        { $file ->
            [a] а
            [b] бэ
            [c] цэ
            [d] дэ
            [e] е
            [f] эф
            [g] жэ
           *[h] аш
        } { $rank }

square-named = { $square }
    .from = с { $square }
    .on = на { $square }

place-ring = { $nth } поле после угла { $who-gen }
    .from = { $nth-from } поля после угла { $who-gen }
    .on = на { $nth-on } поле после угла { $who-gen }
place-ring-own = { $nth } поле после вашего угла
    .from = { $nth-from } поля после вашего угла
    .on = на { $nth-on } поле после вашего угла
place-corner = угол { $who-gen }
    .from = с угла { $who-gen }
    .on = на углу { $who-gen }
place-corner-own = ваш угол
    .from = с вашего угла
    .on = на вашем углу
place-home = { $nth } поле дома { $who-gen }
    .from = { $nth-from } поля дома { $who-gen }
    .on = на { $nth-on } поле дома { $who-gen }
place-home-own = { $nth } поле вашего дома
    .from = { $nth-from } поля вашего дома
    .on = на { $nth-on } поле вашего дома

nth =
    { $number ->
        [1] первое
        [2] второе
        [3] третье
        [4] четвёртое
        [5] пятое
        [6] шестое
        [7] седьмое
        [8] восьмое
        [9] девятое
        [10] десятое
        [11] одиннадцатое
        [12] двенадцатое
        [13] тринадцатое
        [14] четырнадцатое
        [15] пятнадцатое
        [16] шестнадцатое
        [17] семнадцатое
        [18] восемнадцатое
        [19] девятнадцатое
       *[other] двадцатое
    }
    .from =
        { $number ->
            [1] с первого
            [2] со второго
            [3] с третьего
            [4] с четвёртого
            [5] с пятого
            [6] с шестого
            [7] с седьмого
            [8] с восьмого
            [9] с девятого
            [10] с десятого
            [11] с одиннадцатого
            [12] с двенадцатого
            [13] с тринадцатого
            [14] с четырнадцатого
            [15] с пятнадцатого
            [16] с шестнадцатого
            [17] с семнадцатого
            [18] с восемнадцатого
            [19] с девятнадцатого
           *[other] с двадцатого
        }
    .on =
        { $number ->
            [1] первом
            [2] втором
            [3] третьем
            [4] четвёртом
            [5] пятом
            [6] шестом
            [7] седьмом
            [8] восьмом
            [9] девятом
            [10] десятом
            [11] одиннадцатом
            [12] двенадцатом
            [13] тринадцатом
            [14] четырнадцатом
            [15] пятнадцатом
            [16] шестнадцатом
            [17] семнадцатом
            [18] восемнадцатом
            [19] девятнадцатом
           *[other] двадцатом
        }

player-red = красные
    .acc = красных
    .gen = красных
    .dat = красным
    .form = many
player-orange = оранжевые
    .acc = оранжевых
    .gen = оранжевых
    .dat = оранжевым
    .form = many
player-yellow = жёлтые
    .acc = жёлтых
    .gen = жёлтых
    .dat = жёлтым
    .form = many
player-green = зелёные
    .acc = зелёных
    .gen = зелёных
    .dat = зелёным
    .form = many
player-blue = синие
    .acc = синих
    .gen = синих
    .dat = синим
    .form = many
player-purple = фиолетовые
    .acc = фиолетовых
    .gen = фиолетовых
    .dat = фиолетовым
    .form = many
player-white = белые
    .acc = белых
    .gen = белых
    .dat = белым
    .form = many
player-black = чёрные
    .acc = чёрных
    .gen = чёрных
    .dat = чёрным
    .form = many
player-brown = коричневые
    .acc = коричневых
    .gen = коричневых
    .dat = коричневым
    .form = many
player-named = { $name }
    .acc = игрока { $name }
    .gen = игрока { $name }
    .dat = игроку { $name }
    .form = one

checker-red = красная шашка
    .acc = красную шашку
    .count =
        { $count ->
            [1] красную шашку
           *[few] { COUNT($count, two: "две") } красные шашки
        }
checker-orange = оранжевая шашка
    .acc = оранжевую шашку
    .count =
        { $count ->
            [1] оранжевую шашку
           *[few] { COUNT($count, two: "две") } оранжевые шашки
        }
checker-yellow = жёлтая шашка
    .acc = жёлтую шашку
    .count =
        { $count ->
            [1] жёлтую шашку
           *[few] { COUNT($count, two: "две") } жёлтые шашки
        }
checker-green = зелёная шашка
    .acc = зелёную шашку
    .count =
        { $count ->
            [1] зелёную шашку
           *[few] { COUNT($count, two: "две") } зелёные шашки
        }
checker-blue = синяя шашка
    .acc = синюю шашку
    .count =
        { $count ->
            [1] синюю шашку
           *[few] { COUNT($count, two: "две") } синие шашки
        }
checker-purple = фиолетовая шашка
    .acc = фиолетовую шашку
    .count =
        { $count ->
            [1] фиолетовую шашку
           *[few] { COUNT($count, two: "две") } фиолетовые шашки
        }
checker-white = белая шашка
    .acc = белую шашку
    .count =
        { $count ->
            [1] белую шашку
           *[few] { COUNT($count, two: "две") } белые шашки
        }
checker-black = чёрная шашка
    .acc = чёрную шашку
    .count =
        { $count ->
            [1] чёрную шашку
           *[few] { COUNT($count, two: "две") } чёрные шашки
        }
checker-brown = коричневая шашка
    .acc = коричневую шашку
    .count =
        { $count ->
            [1] коричневую шашку
           *[few] { COUNT($count, two: "две") } коричневые шашки
        }

value =
    { $value ->
        [1] один
        [2] два
        [3] три
        [4] четыре
        [5] пять
        [6] шесть
       *[other] { COUNT($value) }
    }

# Именительный падеж; .acc — винительный («платят одну фишку»).
amount-points =
    { $count ->
        [one] { COUNT($count, one: "одно") } очко
        [few] { COUNT($count) } очка
       *[other] { COUNT($count) } очков
    }
    .acc =
        { $count ->
            [one] { COUNT($count, one: "одно") } очко
            [few] { COUNT($count) } очка
           *[other] { COUNT($count) } очков
        }
amount-chips =
    { $count ->
        [one] { COUNT($count, one: "одна") } фишка
        [few] { COUNT($count, two: "две") } фишки
       *[other] { COUNT($count) } фишек
    }
    .acc =
        { $count ->
            [one] { COUNT($count, one: "одну") } фишку
            [few] { COUNT($count, two: "две") } фишки
           *[other] { COUNT($count) } фишек
        }
amount-cents =
    { $count ->
        [one] { COUNT($count) } цент
        [few] { COUNT($count) } цента
       *[other] { COUNT($count) } центов
    }
    .acc =
        { $count ->
            [one] { COUNT($count) } цент
            [few] { COUNT($count) } цента
           *[other] { COUNT($count) } центов
        }
amount-euros = { COUNT($count) } евро
    .acc = { COUNT($count) } евро
amount-dollars =
    { $count ->
        [one] { COUNT($count) } доллар
        [few] { COUNT($count) } доллара
       *[other] { COUNT($count) } долларов
    }
    .acc =
        { $count ->
            [one] { COUNT($count) } доллар
            [few] { COUNT($count) } доллара
           *[other] { COUNT($count) } долларов
        }
amount-pence =
    { $count ->
        [one] { COUNT($count) } пенс
        [few] { COUNT($count) } пенса
       *[other] { COUNT($count) } пенсов
    }
    .acc =
        { $count ->
            [one] { COUNT($count) } пенс
            [few] { COUNT($count) } пенса
           *[other] { COUNT($count) } пенсов
        }
amount-pounds =
    { $count ->
        [one] { COUNT($count) } фунт
        [few] { COUNT($count) } фунта
       *[other] { COUNT($count) } фунтов
    }
    .acc =
        { $count ->
            [one] { COUNT($count) } фунт
            [few] { COUNT($count) } фунта
           *[other] { COUNT($count) } фунтов
        }
amount-kopecks =
    { $count ->
        [one] { COUNT($count, one: "одна") } копейка
        [few] { COUNT($count, two: "две") } копейки
       *[other] { COUNT($count) } копеек
    }
    .acc =
        { $count ->
            [one] { COUNT($count, one: "одну") } копейку
            [few] { COUNT($count, two: "две") } копейки
           *[other] { COUNT($count) } копеек
        }
amount-roubles =
    { $count ->
        [one] { COUNT($count) } рубль
        [few] { COUNT($count) } рубля
       *[other] { COUNT($count) } рублей
    }
    .acc =
        { $count ->
            [one] { COUNT($count) } рубль
            [few] { COUNT($count) } рубля
           *[other] { COUNT($count) } рублей
        }
amount-other = { COUNT($count) } { $unit }
    .acc = { COUNT($count) } { $unit }

## Что сделал игрок: одно предложение из нескольких сказуемых

did = { $who } { $clauses }

clause-throws =
    { $who-form ->
        [one] бросает
       *[many] бросают
    } { $value }
clause-enters =
    { $who-form ->
        [one] вводит
       *[many] вводят
    } шашку на { $to }
clause-moves =
    { $who-form ->
        [one] идёт
       *[many] идут
    } { $from-from } на { $to }
clause-passes =
    { $who-form ->
        [one] пропускает
       *[many] пропускают
    } ход
clause-cannot-move =
    не { $who-form ->
        [one] может
       *[many] могут
    } ходить
clause-knocks-out =
    { $who-form ->
        [one] выбивает
       *[many] выбивают
    } { $victims }
clause-brings-home =
    { $who-form ->
        [one] приводит
       *[many] приводят
    } домой { $count ->
        [1] первую
        [2] вторую
        [3] третью
       *[other] последнюю
    } шашку
clause-throws-again-six =
    { $who-form ->
        [one] бросает
       *[many] бросают
    } ещё раз за шестёрку
clause-throws-again-knock-out =
    { $who-form ->
        [one] бросает
       *[many] бросают
    } за это ещё раз
clause-throws-twice-more =
    { $who-form ->
        [one] бросает
       *[many] бросают
    } ещё два раза
clause-wins =
    { $who-form ->
        [one] выигрывает
       *[many] выигрывают
    }

victim =
    { $count ->
        [1] шашку
        [2] две шашки
        [3] три шашки
       *[other] все четыре шашки
    } { $who-gen }

## Партия и банк

game-started = Новая партия: { $players }, ставка { $stake }, штраф { $fine }
first-player =
    { $who-form ->
        [one] начинает
       *[many] начинают
    } { $who }: бросайте
pays =
    { $who } { $who-form ->
        [one] платит
       *[many] платят
    } { $amount-acc }
fines = { $payments }, в банке { COUNT($bank) }
bank-pays = Банк платит { $who-dat } { $amount-acc }
gets-back =
    { $who } { $who-form ->
        [one] получает
       *[many] получают
    } назад { $amount-acc }
abandoned = Партия прервана: { $payments }

## Кубик

unreadable-cocked = Кубик лежит косо: { $who }, бросайте ещё раз
unreadable-several = Брошено больше одного кубика: { $who }, бросайте один
unreadable = Не вижу, что на кубике: { $who }, бросайте ещё раз

## Поправки

cleared = Всё снова на месте
question-move = Какой это был ход: { $choices }
question-throw = Сколько было на кубике: { $choices }
question-die = Сколько на кубике: { $choices }
choice-again = бросок не в счёт
choice-enter = ввод шашки на { $to }
choice-pass = пропуск хода
choice-none = ещё никакого
answered = Понятно: { $choice }
taken-back = Ход взят назад
log-right = Доска должна стоять так, как записано
corrected = Поправка: { $what }
position-set = Позиция поставлена
renamed = Имя изменено: { $who }
left =
    { $who } { $who-form ->
        [one] выходит
       *[many] выходят
    } из игры
restore = Чтобы доска стояла верно, { $cure }
unclear-squares = Не могу разобрать { $squares }: поставьте шашки на середину полей
    .more = Не могу разобрать { $squares } и другие поля: поставьте шашки на середину полей
unclear-die = Не могу разобрать, что на кубике: подскажите

## Стол

board-lost-turned = Доску повернули, и я не вижу, какой стороной: верните её или ответьте, перевёрнута ли она
board-lost-moved = Доска сдвинулась или закрыта: пусть лежит спокойно и свободно
board-lost-dark = Слишком темно, доску не видно: включите свет и проверьте, не закрыт ли объектив
board-lost-bright = Слишком ярко: отодвиньте лампу, которая светит на доску, или сделайте её слабее
board-lost = Не вижу доску: положите её так, чтобы камера видела её целиком и её ничто не закрывало
board-found = Снова вижу доску
camera-lost = Камера не даёт изображения: проверьте, подключена ли она
camera-found = Камера снова работает
obscured = Что-то закрывает доску: освободите её
visible = Доска снова открыта
paused = Пауза
resumed = Игра продолжается

## Чего от кого ждут

prompt-opening = { $who }, бросайте за первый ход
prompt-opening-again = { $who }, бросайте ещё раз за первый ход
prompt-throw = { $who }, бросайте
prompt-no-die = Кубика не видно: { $who }, бросайте туда, где его видит камера
prompt-throw-again = { $who }, бросайте ещё раз
prompt-move = { $who }, ходите на { $value }
prompt-move-or-pass = { $who }, ходите на { $value } или пропустите ход
prompt-enter = { $who }, введите шашку на { $to }
prompt-enter-or-move = { $who }, введите шашку на { $to } или ходите на { $value }
prompt-won =
    { $who } { $who-form ->
        [one] выигрывает
       *[many] выигрывают
    }
prompt-abandoned = Партия прервана

## Ходы

move = { $from-from } на { $to }
enter = введите шашку на { $to }
enter-one = введите шашку
pass = пропустите ход
play = сыграйте { $moves }
play-value = ходите на { $value }

## Что не так и что делать

wrong = { $what }: { $cure }
cure-and = { $cure } и { $then }
cure-or = { $cure } или { $then }
void-cast = Этот бросок не считается

wrong-game-over = Партия окончена
wrong-unknown-checker = Лишняя { $checker } { $at-on }
    .plain = На доске лишняя шашка
    .nobody = { $checker } { $at-on } ничья
wrong-moved-before-throw =
    { $who } { $who-form ->
        [one] ходит
       *[many] ходят
    } без броска
wrong-two-moves =
    { $who } { $who-form ->
        [one] передвигает
       *[many] передвигают
    } две шашки за один бросок
    .more =
        { $who } { $who-form ->
            [one] передвигает
           *[many] передвигают
        } { $count } шашки за один бросок
wrong-removed-without-knock-out = { $at-from } пропала { $checker }
    .plain = Пропала шашка
wrong-not-your-checker =
    { $who } { $who-form ->
        [one] передвигает
       *[many] передвигают
    } { $checker-acc }
    .plain =
        { $who } { $who-form ->
            [one] передвигает
           *[many] передвигают
        } чужую шашку
wrong-off-path = Шашка { $at-on } стоит не на пути
    .plain = Шашка стоит не на пути
wrong-entry-needs-six =
    { $who } { $who-form ->
        [one] может
       *[many] могут
    } войти только с шестёркой
wrong-wrong-start-square =
    { $who } { $who-form ->
        [one] входит
       *[many] входят
    } только на { $start }
wrong-left-home = Из дома шашка не выходит
wrong-home-backwards = В доме шашка назад не ходит
wrong-home-jump = В доме через шашку не прыгают
wrong-wrong-direction =
    { $who } { $who-form ->
        [one] идёт
       *[many] идут
    } назад
wrong-foreign-home = Шашка { $at-on } стоит в чужом доме
    .plain = Шашка стоит в чужом доме
wrong-second-lap =
    { $who } { $who-form ->
        [one] проходит
       *[many] проходят
    } мимо своего угла
wrong-overshoot = { $value } для дома слишком много
wrong-wrong-distance =
    { $who } { $who-form ->
        [one] идёт
       *[many] идут
    } на { $steps }, а на кубике { $value }
    .plain =
        { $who } { $who-form ->
            [one] идёт
           *[many] идут
        } не на { $value }
wrong-blocked = Путь закрыт
wrong-own-occupied = { $at-on } может стоять только одна { $checker }
    .plain = На поле может стоять только одна шашка
wrong-corner-occupied-by-owner = { $at-on } стоит хозяин угла
    .plain = На углу стоит его хозяин
wrong-corner-reserved = На чужом углу не останавливаются
wrong-home-square-full = { $at-on } уже стоит шашка
    .plain = Поле в доме уже занято
wrong-knocked-out-left-on-board = { $at-on } выбита { $checkers }
    .more = { $at-on } выбиты { $checkers }
    .plain = Выбитая шашка ещё на доске
wrong-must-enter = { $who }, с шестёркой нужно войти
wrong-must-hit = { $who }, нужно выбить шашку
wrong-must-move = { $who }, сначала ходите на { $value }
wrong-die-changed = Кубик перевернули
wrong-out-of-turn = Сейчас не ход { $who-gen }

cure-put-back = верните шашку на { $from }
cure-return = верните её
cure-put-both-back = верните обе
cure-put-one-back = верните одну из них
cure-put-that-back = верните шашку { $at-from } на { $from }
cure-put-all-back = верните их на { $squares }
    .both = верните обе на { $squares }
cure-put-back-and-off = верните одну на { $from }, а другую снимите
cure-take-all-off = снимите их
    .both = снимите обе
cure-take-off = снимите шашку { $at-from }
cure-take-it-off = снимите её
cure-take-them-off = снимите их
cure-others = поправьте также { $squares }
    .more = поправьте также { $squares } и другие поля
    .all = поправьте и другие поля
cure-turn-die = поверните его на { $value }
cure-clear = освободите { $squares }
cure-place = поставьте { $checkers } на { $at }
cure-place-more = поставьте на { $at } ещё { $checkers }
cure-place-only = поставьте на { $at } только { $checkers }
cure-leave = оставьте { $at-on } только { $checkers }
cure-board = поправьте доску

page-code = Код для телефона: { $code }

## Подписи на экране

label-throw = Бросок
label-moves = Ходы
label-player = Игрок
label-waiting = ждут
label-home = дома
label-knocked-out = выбито
label-balance = баланс
label-bank = Банк
