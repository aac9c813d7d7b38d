from tests.mutation.report import Verdict, judge

EXPLAINED = """\
# referee.part.x_first__mutmut_1: survived
--- referee/part.py
+++ referee/part.py
@@ -1,3 +1,3 @@
 def first() -> None:
-    previous = None  # mutant: any value does
+    previous = ""  # mutant: any value does
"""
BARE = """\
--- referee/part.py
+++ referee/part.py
@@ -1,3 +1,3 @@
     kept = 1  # mutant: of a line that is as it was
-    return 1
+    return 2
"""
NOTE = "previous = None  # mutant: any value does"


def test_mutant_alive_is_excused_by_the_reason_in_its_line_alone() -> None:
    assert judge({"a": EXPLAINED, "b": BARE}, [NOTE]) == Verdict(("a",), ("b",), ())
    assert not judge({"a": EXPLAINED, "b": BARE}, [NOTE]).ok
    assert judge({"a": EXPLAINED}, [NOTE]).ok


def test_reason_that_excuses_no_mutant_is_told() -> None:
    assert judge({}, [NOTE]) == Verdict((), (), (NOTE,))
    assert not judge({}, [NOTE]).ok


def test_run_without_mutants_alive_is_clean() -> None:
    assert judge({}, []).ok
