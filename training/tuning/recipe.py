"""How one encoder is tuned to some judged pairs: as it comes, or after it has learnt from a larger one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from models.whole_file import whole_file
from training.progress import NoProgress, Progress, Steps
from training.tuning.checkpoint import Checkpoint
from training.tuning.encoder import Encoder, open_encoder
from training.tuning.examples import JudgedTexts
from training.tuning.loop import Point, tune
from training.tuning.settings import Tuning
from training.tuning.teaching import Teaching, lessons_of, teach, unit_vectors


@dataclass(frozen=True, slots=True)
class School:
    """Whom an encoder learns from besides judgements, and by what.

    ``teacher``: the folder of a larger sentence-transformers model. ``texts``: of ``unjudged_texts``.
    """

    teacher: Path
    texts: Sequence[str]
    teaching: Teaching = field(default_factory=Teaching)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How encoders are tuned: from which folder, how, and by which teacher, if any.

    ``work``: where what is finished is kept. ``key``: what all that depends on; files of another key are not
    taken. It can be sent to another process.
    """

    base: Path
    settings: Tuning
    work: Path
    key: str
    school: School | None = None

    def prepare(self, steps: Steps = NoProgress()) -> None:  # noqa: B008 - without state
        """Let the encoder learn from the teacher as it comes, unless that is done."""
        school = self.school
        if school is None or self._taught.is_file():
            return
        self.work.mkdir(parents=True, exist_ok=True)
        steps.begin("asking the teacher", "texts")
        wanted = unit_vectors(self._opened(school.teacher), school.texts, steps.advance_to)
        lessons = lessons_of(school.texts, wanted)
        steps.begin("learning from the teacher", "steps")
        encoder = self._opened(self.base)
        checkpoint = Checkpoint(self.work / "learning.safetensors", self.key)
        teach(encoder, lessons, wanted, school.teaching, self.settings.seed, checkpoint, steps.advance_to)
        weights = {name: weights.detach().contiguous() for name, weights in encoder.named_parameters()}
        with whole_file(self._taught) as opened:
            opened.write(import_module("safetensors.torch").save(weights))
        checkpoint.remove()

    def tuned(
        self,
        pairs: JudgedTexts,
        name: str,
        held_out: JudgedTexts | None = None,
        progress: Progress | None = None,
    ) -> tuple[Encoder, tuple[Point, ...]]:
        """An encoder tuned to judged pairs, and its curve on those that are held out, if any.

        ``name``: of the file that keeps its state until ``forget`` is called. ``prepare`` comes first.
        """
        encoder = self._opened(self.base)
        if self.school is not None:
            taught = import_module("safetensors.torch").load_file(self._taught)
            encoder.load_state_dict(encoder.state_dict() | taught)  # buffers, if any, are the base's
        curve = tune(encoder, pairs, self.settings, self._checkpoint(name), held_out, progress)
        return encoder, curve

    def forget(self, name: str) -> None:
        """Remove the file that kept the state of a tuning."""
        self._checkpoint(name).remove()

    def _checkpoint(self, name: str) -> Checkpoint:
        return Checkpoint(self.work / f"{name}.safetensors", f"{self.key}/{name}")

    @property
    def _taught(self) -> Path:
        return self.work / f"taught-{self.key[:16]}.safetensors"

    def _opened(self, folder: Path) -> Encoder:
        """The encoder of a folder, on the fastest device there is, reading as much of a text as is asked."""
        return open_encoder(folder, None, self.settings.tokens)
