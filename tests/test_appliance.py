"""The service on a Pi: its unit as systemd judges it, its installing with stand-ins for the system.

Where the system has no systemd-analyze the unit is only read.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
UNIT = ROOT / "scripts" / "pachisi.service"
CONSTRAINTS = ROOT / "constraints" / "bookworm-pi.txt"
ANALYZE = shutil.which("systemd-analyze")

_PROGRAMS = {
    "id": 'case "$*" in -u) echo 1000;; "-u player") echo 1000;; -un) echo player;; '
    '"-nG player") cat "$STATE/groups" 2>/dev/null; echo player;; *) exit 1;; esac',
    "sudo": '[ "$1" != -n ] || shift; "$@"',
    "dpkg-query": 'grep -qx "$4" "$STATE/packages" 2>/dev/null && echo "install ok installed"',
    "apt-get": 'case "$*" in *install*) for each; do case $each in -*|install) ;; '
    '*) echo "$each" >>"$STATE/packages";; esac; done;; esac',
    "usermod": 'echo "$2" >>"$STATE/groups"',
    "getent": 'case "$1" in passwd) echo "$2:x:1000:1000::$HOME_OF_PLAYER:";; '
    '*) echo "$2:x:44:";; esac',
    "getconf": 'echo "${BITS:-64}"',
    "systemctl": '[ "$1" != "${BROKEN:-}" ]',
    "hostname": "echo raspberrypi",
}


class Pi:
    """A Raspberry Pi made of stand-ins that note how they are called."""

    def __init__(self, folder: Path, codename: str = "trixie", home: str = "pachisi") -> None:
        self.home = folder / home
        (self.home / "scripts").mkdir(parents=True)
        for name in ("install-pi", "pachisi.service", "pachisi-of-service"):
            shutil.copy(ROOT / "scripts" / name, self.home / "scripts" / name)
        set_up = self.home / "scripts" / "set-up"
        set_up.write_text(
            '#!/bin/sh\necho "set-up with $PYTHON to play: $TO_PLAY" >>"$STATE/calls"\n'
            "mkdir -p .venv\necho include-system-site-packages = true >.venv/pyvenv.cfg\n"
        )
        set_up.chmod(0o755)
        self.state = folder / "state"
        self.state.mkdir()
        programs = folder / "bin"
        programs.mkdir()
        for name, body in _PROGRAMS.items():
            program = programs / name
            note = "" if name in ("id", "getconf", "hostname") else 'echo "$0 $*" >>"$STATE/calls"'
            program.write_text(f"#!/bin/bash\n{note}\n{body}\n")
            program.chmod(0o755)
        (folder / "os-release").write_text(f"VERSION_CODENAME={codename}\n")
        self.unit = folder / "pachisi.service"
        self.command = folder / "pachisi-command"
        self.environment = {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "STATE": str(self.state),
            "OS_RELEASE": str(folder / "os-release"),
            "UNIT": str(self.unit),
            "COMMAND": str(self.command),
            "HOME_OF_PLAYER": "/home/player",
        }

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run the script."""
        return subprocess.run(
            [self.home / "scripts" / "install-pi", *arguments],
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
            timeout=60,
        )

    def calls(self) -> list[str]:
        """Return what was called that changes something, and forget it."""
        path = self.state / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        short = [re.sub(r"^\S*/", "", line) for line in lines]
        asks = ("sudo", "dpkg-query", "getent")
        return [line for line in short if not line.startswith(asks)]


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    """Set a Pi up."""
    return Pi(tmp_path)


def test_installing_does_what_must_be_done_and_says_so(pi: Pi) -> None:
    """Packages, groups, the environment, the unit and its start; each is told."""
    done = pi.run("usb:1")
    assert (done.returncode, done.stderr) == (0, "")
    calls = pi.calls()
    install = next(call for call in calls if "install -y" in call)
    for package in ("python3-picamera2", "python3-lgpio", "espeak-ng", "libglib2.0-0t64"):
        assert package in install
    assert "--no-install-recommends" in install
    assert [call for call in calls if call.startswith("usermod")] == [
        f"usermod -aG {group} player" for group in ("video", "render", "gpio", "spi", "audio")
    ]
    assert "set-up with /usr/bin/python3 to play: yes" in calls
    assert calls[-3:] == [
        "systemctl daemon-reload",
        "systemctl enable --quiet pachisi.service",
        "systemctl restart pachisi.service",
    ]
    unit = pi.unit.read_text()
    assert f"ExecStart={pi.home}/.venv/bin/pachisi serve usb:1" in unit
    assert "User=player" in unit
    assert "@" not in re.sub(r"@[a-z-]+$", "", unit, flags=re.MULTILINE)
    for told in ("installed", "group gpio", "wrote", "started", "http://raspberrypi.local:8000"):
        assert told in done.stdout


def test_installing_twice_changes_nothing_more(pi: Pi) -> None:
    """Only the program is looked after and the service started anew."""
    pi.run()
    pi.calls()
    before = pi.unit.read_text()
    done = pi.run()
    assert done.returncode == 0
    assert pi.calls() == [
        "set-up with /usr/bin/python3 to play: yes",
        "systemctl enable --quiet pachisi.service",
        "systemctl restart pachisi.service",
    ]
    assert pi.unit.read_text() == before


def test_an_environment_that_does_not_see_the_camera_is_made_anew(pi: Pi) -> None:
    """One that was made without the system's packages has no picamera2."""
    (pi.home / ".venv").mkdir()
    (pi.home / ".venv" / "pyvenv.cfg").write_text("include-system-site-packages = false\n")
    (pi.home / ".venv" / "old").touch()
    assert "it did not see the system's picamera2" in pi.run().stdout
    assert not (pi.home / ".venv" / "old").exists()


def test_uninstalling_takes_the_service_away_and_leaves_the_games(pi: Pi) -> None:
    """Twice is harmless."""
    pi.run()
    pi.calls()
    done = pi.run("--uninstall")
    assert done.returncode == 0
    assert pi.calls() == [
        "systemctl disable --now --quiet pachisi.service",
        "systemctl daemon-reload",
    ]
    assert not pi.unit.exists()
    assert "games stay" in done.stdout
    assert not pi.command.exists()
    again = pi.run("--uninstall")
    assert (again.returncode, pi.calls()) == (0, [])
    assert "nothing was installed" in again.stdout
    assert "in place" not in again.stdout


def test_what_people_type_finds_what_the_service_finds(pi: Pi) -> None:
    """The command on the path has the unit's folders and path, and runs its program."""
    assert pi.run().returncode == 0
    program = pi.home / ".venv" / "bin" / "pachisi"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\nenv\nfor each; do echo "given $each"; done\n')
    program.chmod(0o755)
    typed = subprocess.run(
        [pi.command, "doctor", "a b"], env=pi.environment | {"XDG_CONFIG_HOME": "/elsewhere"},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (typed.returncode, typed.stderr) == (0, "")
    assert [line for line in typed.stdout.splitlines() if line.startswith("given")] == [
        "given doctor",
        "given a b",
    ]
    said = re.findall(r"^Environment=(.*)$", pi.unit.read_text(), re.MULTILINE)
    wanted = " ".join(said).replace("%S", "/var/lib").replace("%C", "/var/cache").split()
    assert "PATH=/home/player/.local/bin:" in " ".join(wanted)
    assert set(wanted) - {"PYTHONUNBUFFERED=1"} <= set(typed.stdout.splitlines())


def test_anothers_program_is_left_alone(pi: Pi) -> None:
    """A command of the same name that this did not write is neither overwritten nor removed."""
    pi.command.write_text("#!/bin/sh\n")
    refused = pi.run()
    assert refused.returncode == 1
    assert "is another program" in refused.stderr
    assert pi.run("--uninstall").returncode == 0
    assert pi.command.read_text() == "#!/bin/sh\n"


@pytest.mark.parametrize("broken", ["enable", "restart"])
def test_a_service_that_does_not_start_is_told_of(pi: Pi, broken: str) -> None:
    """What was done is told nevertheless, and what to type."""
    done = pi.run(BROKEN=broken)
    assert done.returncode == 1
    assert "wrote" in done.stdout
    assert "started" not in done.stdout
    assert "the service did not start; why: journalctl -u pachisi -n 50" in done.stderr
    assert "pachisi doctor" in done.stderr
    assert "in place" not in pi.run(BROKEN=broken).stdout


@pytest.mark.parametrize("name", ["a b", "a&b", "a%b", "schön", "a#b"])
def test_folders_that_no_unit_can_name_are_refused(tmp_path: Path, name: str) -> None:
    """In one line, before anything is changed."""
    pi = Pi(tmp_path, home=name)
    done = pi.run()
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "no service can be made of" in line
    assert name in line
    assert pi.calls() == []


@pytest.mark.parametrize("user", ["nosuch", "a b", "a#b", "../x", "-un"])
def test_users_who_are_none_are_refused(pi: Pi, user: str) -> None:
    """Also where it is only said what would be done."""
    for options in (["--dry-run"], []):
        done = pi.run(*options, SUDO_USER=user)
        assert done.returncode == 1
        assert f"there is no user '{user}'" in done.stderr
    assert pi.calls() == []


def test_a_dry_run_changes_nothing(pi: Pi) -> None:
    """All is said, nothing done."""
    done = pi.run("--dry-run")
    assert done.returncode == 0
    for told in ("would install", "would put player into", "would write", "would start"):
        assert told in done.stdout
    assert not re.search("pi: (?!would )", done.stdout)
    assert not pi.unit.exists()
    assert pi.calls() == []


@pytest.mark.parametrize(
    ("codename", "bits", "complaint"),
    [
        ("bullseye", "64", "12 (bookworm) or 13 (trixie) is needed; this is bullseye"),
        ("trixie", "32", "a 64-bit system is needed"),
    ],
)
def test_systems_that_will_not_do_are_refused(
    tmp_path: Path, codename: str, bits: str, complaint: str
) -> None:
    """Before anything is changed, and with what to do."""
    old = Pi(tmp_path, codename)
    done = old.run(BITS=bits)
    assert done.returncode == 1
    assert complaint in done.stderr
    assert old.calls() == []


def test_bookworm_gets_its_own_packages(tmp_path: Path) -> None:
    """The library had another name there."""
    pi = Pi(tmp_path, "bookworm")
    assert pi.run().returncode == 0
    install = next(call for call in pi.calls() if "install -y" in call)
    assert install.split()[-1] == "libglib2.0-0"


def test_odd_arguments_are_refused(pi: Pi) -> None:
    """What would end up in the unit is looked at first."""
    for source in ("pi; reboot", "", "pi:x", "usb:", "http:", "rtsp://", "ubs", "film.mp4"):
        refused = pi.run(source)
        assert refused.returncode == 1
        assert f"'{source}' is no source for a service" in refused.stderr
    for source in ("http://h/'a'", 'http://h/"a"', "http://h/a b", "http://h/#a", "http://h/ä"):
        assert pi.run(source).returncode == 1
    two = pi.run("pi", "usb")
    assert two.returncode == 1
    assert "one source at a time, not pi usb" in two.stderr
    assert pi.calls() == []
    assert "there is no option --frobnicate" in pi.run("--frobnicate").stderr


@pytest.mark.parametrize(
    "source", ["pi:1", "usb", "rtsp://me@10.0.0.7:554/cam", "demo", "film.mp4"]
)
def test_what_a_service_can_watch_is_taken(pi: Pi, source: str) -> None:
    """Cameras here and in the network, and a file that is there."""
    (pi.home / "film.mp4").touch()
    assert pi.run(source, "--dry-run").returncode == 0


@pytest.mark.parametrize(
    "source", ["rtsp://u:p%20w@h/x?y=1&z=2", "http://h/?action=stream", "http://h:81/a,b+c~d"]
)
def test_an_address_reaches_the_program_as_it_was_given(pi: Pi, source: str) -> None:
    """Sed takes & for what it found, and systemd makes one per cent sign of two."""
    assert pi.run(source).returncode == 0
    line = next(line for line in pi.unit.read_text().splitlines() if "ExecStart=" in line)
    assert line.split(" serve ")[1].replace("%%", "%") == source
    assert "%" not in line.replace("%%", "")


_PYTHON = """#!/bin/bash
case "$*" in
*"numpy.__version__"*) exit "$NUMPY_2" ;;
"-m venv"*)
    mkdir -p .venv/bin
    cp "$0" .venv/bin/python
    case "$*" in *--system-site-packages*) seen=true ;; *) seen=false ;; esac
    echo "include-system-site-packages = $seen" >.venv/pyvenv.cfg ;;
"-c import pip") [ -e .venv ] ;;
*"-check install"*) echo "$*" >>"$STATE/pip" ;;
*"-check show"*) exit 1 ;;
*picamera2*) exit "$NO_PICAMERA2" ;;
esac
"""
"""A system's Python that tells which numpy it has, and notes what pip is to do."""


@pytest.mark.parametrize(
    ("numpy_2", "no_picamera2", "to_play", "installed", "sees_the_system"),
    [
        ("0", "0", "yes", ". -c constraints/bookworm-pi.txt", "true"),
        ("1", "0", "yes", ". -c constraints/tested.txt", "true"),
        ("1", "1", "yes", ". -c constraints/tested.txt", "true"),
        ("0", "1", "", ".[dev] -c constraints/tested.txt", "false"),
    ],
    ids=["bookworm", "trixie", "trixie, without a camera yet", "no Pi"],
)
def test_bookworms_numpy_is_kept_where_the_systems_picamera2_needs_it(
    tmp_path: Path,
    numpy_2: str,
    no_picamera2: str,
    to_play: str,
    installed: str,
    sees_the_system: str,
) -> None:
    """The set-up takes its versions by the numpy that picamera2 was built for."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "set-up", tmp_path / "scripts" / "set-up")
    python = tmp_path / "python3"
    python.write_text(_PYTHON)
    python.chmod(0o755)
    done = subprocess.run(
        [tmp_path / "scripts" / "set-up"],
        env={"PATH": os.environ["PATH"], "PYTHON": str(python), "STATE": str(tmp_path),
             "TO_PLAY": to_play, "NUMPY_2": numpy_2, "NO_PICAMERA2": no_picamera2},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert (tmp_path / "pip").read_text().endswith(f" install -e {installed}\n")
    assert sees_the_system in (tmp_path / ".venv" / "pyvenv.cfg").read_text()
    kept = dict(re.findall(r"^([\w-]+)([<=]+.*)$", CONSTRAINTS.read_text(), re.MULTILINE))
    assert kept == {"numpy": "<2", "opencv-python": "==4.11.0.86"}


def filled_in(folder: Path) -> Path:
    """Return the unit as it would be installed for somebody who is no administrator."""
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name in ("pachisi", "python"):
        (programs / name).touch(0o755)
    text = UNIT.read_text()
    values = {"FOLDER": str(folder), "USER": "games", "UID": "5", "SOURCE": "pi", "HOME": "/home"}
    for key, value in values.items():
        text = text.replace(f"@{key}@", value)
    unit = folder / "pachisi.service"
    unit.write_text(text)
    return unit


def test_the_unit_starts_ends_and_watches_as_it_should() -> None:
    """Readiness and watchdog by notification, an end that puts lamps out, and no root."""
    said = dict(re.findall(r"^(\w+)=(.*)$", UNIT.read_text(), re.MULTILINE))
    assert said["Type"] == "notify"
    assert int(said["WatchdogSec"]) >= 30
    assert said["Restart"] == "always"
    assert said["KillSignal"] == "SIGINT"
    assert said["User"] == "@USER@"
    assert said["ExecStopPost"].endswith("/.venv/bin/python -m companion.appliance.lamp_ward")


@pytest.mark.parametrize("analyze", [ANALYZE] if ANALYZE else [])
def test_systemd_has_nothing_to_say_about_the_unit(tmp_path: Path, analyze: str) -> None:
    """Verifying is silent, and the exposure is rated as small."""
    unit = filled_in(tmp_path)
    verified = subprocess.run(
        [analyze, "verify", unit],
        capture_output=True, text=True, timeout=60, env={**os.environ, "SYSTEMD_LOG_LEVEL": "info"},
    )  # fmt: skip
    assert (verified.returncode, verified.stdout, verified.stderr) == (0, "", "")
    rated = subprocess.run(
        [analyze, "security", "--offline=true", "--threshold=25", unit],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert rated.returncode == 0, rated.stdout[-300:]
    assert rated.stderr == ""
