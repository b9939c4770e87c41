"""A set of changes to files, applied all or not at all, undone the same way.

`commit` and `undo` write; `recover` repairs what a crash left; `history` tells what was done, `promise` what
this file system allows. Each file is entirely old or entirely new at every instant; the set is all old or all new when
a call returns, or after the next `recover`.

    preflight    every file and permission is checked before the first write
    stage        the journal, then each new content as a file beside its target, all of it durable
    swap         one file after the other: exchange the names, look at what came out
    commit point one rename of the journal
    clean up     what was displaced becomes the backup for undo

An error before the commit point restores everything by the same routine that recovers after a crash (`recovery.py`).
"""

from engine.transaction.journal import Action
from engine.transaction.perform import Applied, commit
from engine.transaction.preflight import Change
from engine.transaction.promises import Promise, promise
from engine.transaction.recovery import recover
from engine.transaction.reverse import Entry, FileRecord, Undone, history, undo

__all__ = [
    "Action",
    "Applied",
    "Change",
    "Entry",
    "FileRecord",
    "Promise",
    "Undone",
    "commit",
    "history",
    "promise",
    "recover",
    "undo",
]
