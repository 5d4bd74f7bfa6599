"""Writes short recordings of two tones in the formats that lib/models/audio decodes, made by libsndfile.

    python audio_fixtures.py ../../lib/audio/fixtures

The stretch is 0.25 s of 440 Hz (0.4) and 1,320 Hz (0.2); a second channel has 0.6 of it. noise.flac has silence and
noise, so that its frames are of every kind.
"""

import sys
from pathlib import Path

import numpy as np
import soundfile

SECONDS = 0.25


def tones(rate: int, channels: int) -> np.ndarray:
    t = np.arange(int(rate * SECONDS)) / rate
    x = 0.4 * np.sin(2 * np.pi * 440 * t) + 0.2 * np.sin(2 * np.pi * 1320 * t)
    return np.stack([x * (1 - 0.4 * channel) for channel in range(channels)], 1)


def noise() -> np.ndarray:
    random = np.random.default_rng(5)
    loud = random.uniform(-1, 1, (1200, 2))
    quiet = np.zeros((4096, 2))
    tone = tones(8000, 2) + 0.01 * random.standard_normal((2000, 2))
    return np.concatenate([quiet, loud, tone, quiet + 0.5])


def main(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    soundfile.write(folder / "tones.mp3", tones(22050, 1), 22050, format="MP3")
    soundfile.write(folder / "tones.opus", tones(48000, 2), 48000, format="OGG", subtype="OPUS")
    soundfile.write(folder / "tones.ogg", tones(16000, 1), 16000, format="OGG", subtype="VORBIS")
    soundfile.write(folder / "tones.flac", tones(16000, 2), 16000, format="FLAC", subtype="PCM_16")
    soundfile.write(folder / "noise.flac", noise(), 8000, format="FLAC", subtype="PCM_24")
    for subtype in ("ALAW", "ULAW"):
        soundfile.write(folder / f"{subtype.lower()}.wav", tones(8000, 1), 8000, format="WAV", subtype=subtype)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
