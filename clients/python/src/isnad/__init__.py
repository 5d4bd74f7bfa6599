"""A client of Isnad, the Arabic/English news platform."""

from ._async import AsyncIsnad
from ._error import IsnadError
from ._generated import *  # noqa: F403
from ._sync import Isnad

__all__ = ["AsyncIsnad", "Isnad", "IsnadError"]
