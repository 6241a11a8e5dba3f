"""A fork does what this process would, and what cannot be had of it is to be done here."""

from __future__ import annotations

import os
import pdb
import signal
import sys
import threading
import time
import warnings
from pathlib import Path

import pytest

from redpen_evals import second_process
from redpen_evals.second_process import SecondProcess

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks are for Linux")


@pytest.fixture
def two_processors(monkeypatch):
    """Have two processors, whatever the machine has."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})


@pytest.fixture
def begin(monkeypatch, two_processors):  # noqa: ARG001 - what it sets
    """Give a function that forks, and end its forks."""
    monkeypatch.setattr(second_process, "_is_unsafe", lambda: False)
    begun = []

    def start(work):
        begun.append(SecondProcess.begin(work))
        return begun[-1]

    yield start
    for item in begun:
        if item is not None:
            item.end()


def test_pieces_come_in_order_and_then_none(begin):
    process = begin(lambda: (os.getppid(), "x" * 1_000_000, ["last"]))
    assert [process.take() for _ in range(4)] == [os.getpid(), "x" * 1_000_000, ["last"], None]


def raise_error():
    raise KeyboardInterrupt


def debug():
    pdb.set_trace()


@pytest.mark.parametrize(
    "fault",
    [
        raise_error,
        breakpoint,
        debug,
        lambda: os.kill(os.getpid(), signal.SIGKILL),
        lambda: os.kill(os.getpid(), signal.SIGINT),
        lambda: warnings.warn("old", DeprecationWarning, stacklevel=2),
        threading.Lock,  # what it returns cannot be sent
    ],
)
def test_faults_leave_the_work_to_this_process(begin, fault, capfd):
    def work():
        yield "before"
        yield fault() or fault
        yield "after"

    process = begin(work)
    assert [process.take() for _ in range(3)] == ["before", None, None]
    assert capfd.readouterr() == ("", "")


def test_output_is_discarded(begin, capfd):
    assert begin(lambda: [sys.stdout.write("noise") + os.write(2, b"noise")]).take() == 10
    assert capfd.readouterr() == ("", "")


def test_end_kills_it(begin):
    process = begin(lambda: (os.getpid() if at == 0 else time.sleep(600) for at in range(2)))
    number = process.take()
    process.end()
    process.end()
    assert process.take() is None
    with pytest.raises(ChildProcessError):
        os.waitpid(number, os.WNOHANG)


def test_process_reaped_elsewhere_is_not_an_error(begin):
    process = begin(lambda: [os.getpid(), "last"])
    os.waitpid(process.take(), 0)
    assert process.take() == "last"
    process.end()


def test_no_second_process_on_one_processor(begin, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    assert begin(lambda: [1]) is None


def test_system_without_room_has_none(begin, monkeypatch):
    def fail():
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", fail)
    open_before = set(Path("/proc/self/fd").iterdir())
    assert begin(lambda: [1]) is None
    assert set(Path("/proc/self/fd").iterdir()) == open_before


@pytest.mark.usefixtures("two_processors")
@pytest.mark.parametrize(("get", "set_to"), [("getprofile", "setprofile"), ("gettrace", "settrace")])
def test_watched_process_does_its_own_work(get, set_to):
    before = getattr(sys, get)()
    getattr(sys, set_to)(lambda *_: None)
    try:
        process = SecondProcess.begin(lambda: [1])
    finally:
        getattr(sys, set_to)(before)
    assert process is None


@pytest.mark.usefixtures("two_processors")
def test_other_threads_are_not_forked():
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    try:
        assert SecondProcess.begin(lambda: [1]) is None
    finally:
        end.set()
        thread.join()
