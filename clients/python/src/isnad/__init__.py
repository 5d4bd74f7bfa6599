"""A client of Isnad, the Arabic/English news platform."""

from ._client import AsyncIsnad, Isnad
from ._error import IsnadError
from ._generated import *  # noqa: F403

__all__ = ["AsyncIsnad", "Isnad", "IsnadError"]
