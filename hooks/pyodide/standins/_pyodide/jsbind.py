# SPDX-License-Identifier: MIT
"""Stands for Pyodide's typed views of JavaScript objects, which import `inspect`; its core only needs the default one."""
from _pyodide_core import JsFuncSignature, js2py_default_call_result, py2js_default


class no_default:
    """Marks a parameter without a default."""


def _any(*args: object, **kwargs: object) -> None:
    """What a JavaScript function may be called with."""


def _absent(*_: object) -> None:
    raise NotImplementedError("the browser's library has no typed views of JavaScript objects")


default_signature = JsFuncSignature(_any, False, 0, (), (), py2js_default, (), (), (), py2js_default, js2py_default_call_result)
func_to_sig = get_attr_sig = bind_class_sig = _absent
