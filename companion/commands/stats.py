"""The command that counts: throws, knock-outs, waits, balances, and who owes whom."""

from datetime import datetime, timedelta
from pathlib import Path
from statistics import mean, median

import click

from companion.commands.arguments import EXISTING_OR_NEW, games_dir, games_option, json_option
from companion.commands.game_arguments import (
    echo_json,
    language_of,
    language_option,
    print_table,
    whole_lines,
)
from companion.errors import CompanionError, ExitStatus, InputError
from companion.log.fairness import die_test, die_words
from companion.log.games import LoggedGame, RecordFile, find_game, list_games
from companion.log.lines import Line
from companion.log.statistics import (
    PlayerStatistics,
    all_throws,
    payments,
    shortened,
    statistics,
    statistics_json,
)
from companion.phrases.written import Written

EVENING_BEGINS = timedelta(hours=12)
"""A game after midnight belongs to the evening before."""


@click.command()
@click.argument("games_named", metavar="[GAME...]", nargs=-1)
@click.option("--evening", type=click.DateTime(["%Y-%m-%d"]), metavar="DATE",
              help="Only games from that day's noon to the next.")  # fmt: skip
@click.option("--plots", type=EXISTING_OR_NEW, metavar="DIR", help="Draw plots into this folder.")
@click.option("--plot-format", type=click.Choice(["png", "svg"]), default="png", show_default=True,
              help="What the plots are written as.")  # fmt: skip
@language_option
@games_option
@json_option
def stats(
    games_named: tuple[str, ...],
    evening: datetime | None,
    plots: Path | None,
    plot_format: str,
    language: str | None,
    games: Path | None,
    as_json: bool,
) -> int:
    """Count what happened, by player.

    Throws and whether the die is fair, knock-outs, waits for a six, times, comebacks, balances and
    who owes whom, over the games named, over an evening's, or over all.
    """
    where, words = games_dir(games), Written(language_of(language))
    names = games_named or [
        str(game.folder) for game in list_games(where) if _in_evening(game, evening)
    ]
    status, logs = ExitStatus.DONE, list[tuple[Line, ...]]()
    for name in names:
        try:
            folder = find_game(name, where)
            if isinstance(folder, RecordFile):
                raise InputError(f"{folder.path} is a record: only logged games are counted")
            logs.append(whole_lines(folder)[0])
        except CompanionError as error:
            click.echo(str(error), err=True)
            status = ExitStatus.UNREADABLE
    players = statistics(logs)
    if as_json:
        _print_json(len(logs), players, words)
    elif players:
        _print(players, words)
    else:
        click.echo(words("no-game-counts"))
    if plots is not None and players:
        from companion.log.plots import write_plots  # it brings matplotlib with it

        for path in write_plots(players, plots, plot_format, words):
            click.echo(str(path), err=True)
    return status


def _in_evening(game: LoggedGame, evening: datetime | None) -> bool:
    if evening is None:
        return True
    if game.started_at is None:
        return False
    return (game.started_at.astimezone() - EVENING_BEGINS).date() == evening.date()


def _print_json(games: int, players: tuple[PlayerStatistics, ...], words: Written) -> None:
    test = die_test(all_throws(players))
    echo_json(
        [
            {
                "games": games,
                "players": [statistics_json(player) for player in players],
                "die": {
                    "throws": test.throws,
                    "chi_squared": round(test.chi_squared, 3),
                    "p": test.chance,
                    "words": die_words(test, words),
                },
                "payments": {
                    unit: [payment._asdict() for payment in owed]
                    for unit, owed in payments(players).items()
                },
            }
        ]
    )


def _print(players: tuple[PlayerStatistics, ...], words: Written) -> None:
    values = tuple(str(value) for value in range(1, 7))
    sums = ("dealt", "suffered", "fines", "passes", "illegal", "balance")
    head = (*_named(words, "player", "games", "games-won"), *values, *_named(words, *sums))
    print_table(head, [_sums_row(player) for player in players])
    click.echo()
    luck = ("throws-a-six", "longest-wait", "seconds-a-move", "comebacks", "from-behind")
    print_table(_named(words, "player", *luck), [_luck_row(player, words) for player in players])
    test = die_words(die_test(all_throws(players)), words)
    click.echo("\n" + words("the-die", words=test))
    for player in players:
        test, name = die_words(die_test(player.throws), words), shortened(player.name)
        click.echo(words("throws-of", name=name, words=test))
    click.echo(words("caveat"))
    for unit, owed in payments(players).items():
        for one in owed:
            payer, payee, amount = shortened(one.payer), shortened(one.payee), str(one.amount)
            click.echo(words("owes", payer=payer, payee=payee, amount=amount, unit=unit))


def _named(words: Written, *names: str) -> tuple[str, ...]:
    return tuple(words(name) for name in names)


def _sums_row(player: PlayerStatistics) -> tuple[str, ...]:
    balance = ", ".join(f"{amount:+d} {unit}" for unit, amount in player.balances.items())
    sums = (
        player.games, player.wins, *(player.throws[value] for value in range(1, 7)),
        player.dealt, player.suffered, player.fines, player.passes, player.illegal,
    )  # fmt: skip
    return (shortened(player.name), *(str(number) for number in sums), balance or "0")


def _luck_row(player: PlayerStatistics, words: Written) -> tuple[str, ...]:
    waits, times = player.six_waits, player.move_s
    return (
        shortened(player.name),
        f"{mean(waits):.1f}" if waits else "-",
        f"{max(waits)}" if waits else "-",
        f"{median(times):.1f}" if times else "-",
        str(len(player.comebacks)),
        words("squares", count=max(player.comebacks)) if player.comebacks else "-",
    )
