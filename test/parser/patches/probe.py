"""Runs the places that the patches touch, in one unpacked SGLang package, and prints what each decides.

    python3 probe.py PACKAGE

One JSON document: ``{gap: {case: answer}}``. A gap whose code this release does not have is left out. A card is named
by its capability: 9, 10 and 12; the code is told so through the functions by which it asks.
"""

import json
import os
import sys
from functools import partial

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from capability import CARDS, Given, answer, asked, torch_with
from credentials import credentials
from source import Source

OVERRIDES = "arg_groups/overrides.py"
ARGUMENTS = "server_args.py"


def torch_symm_mem(source, card):
    folder = "distributed/device_communicators/"
    table = source.load(folder + "all_reduce_utils.py", ["MiB", "TORCH_SYMM_MEM_ALL_REDUCE_MAX_SIZES"], {})
    torch = torch_with(card)
    handle = Given(multicast_ptr=1)
    given = {
        **table, **asked(card), "torch": torch, "torch_symm_mem_available": True,
        "dist": Given(get_world_size=lambda group: 8),
        "torch_symm_mem": Given(empty=lambda *a, **k: None, rendezvous=lambda *a: handle),
    }  # fmt: skip
    group = source.load(folder + "torch_symm_mem.py", ["TorchSymmMemCommunicator"], given)["TorchSymmMemCommunicator"]
    return "disabled" if group(Given(group_name="tp"), "cuda:0").disabled else "enabled"


def allreduce_fusion(source, card):
    given = asked(card)
    view = Given(enforce_disable_flashinfer_allreduce_fusion=False, flashinfer_allreduce_fusion_backend="auto")
    if source.has(OVERRIDES):
        rule = source.load(OVERRIDES, ["_enforce_disable_allreduce_fusion"], given)["_enforce_disable_allreduce_fusion"]
        view.__dict__.update(rule(view))
    else:
        words = "enforce_disable_flashinfer|fusion_backend is not None"
        source.conditions(ARGUMENTS, "_handle_model_specific_adjustments", words)(view, given)
    if view.flashinfer_allreduce_fusion_backend is None:
        return "off"
    given = source.load("layers/flashinfer_comm_fusion.py", ["_mnnvl_supported", "_resolve_backend"], given)
    return given["_resolve_backend"](view.flashinfer_allreduce_fusion_backend)


def deepgemm(source, card):
    given = {**asked(card), "_is_cuda": True, "_is_musa": False}
    given["envs"] = Given(SGLANG_ENABLE_JIT_DEEPGEMM=Given(get=lambda: True))
    compute = source.load("layers/deep_gemm_wrapper/configurer.py", ["_compute_enable_deep_gemm"], given)
    return "on" if compute["_compute_enable_deep_gemm"]() else "off"


def fp8_auto(source, card):
    kinds = ("deepgemm", "flashinfer_gemm", "cutlass")
    kernels = {f"{kind}_w8a8_block_fp8_linear_with_fallback": kind for kind in kinds}
    given = {
        **asked(card), **kernels, "triton_w8a8_block_fp8_linear": "triton", "_use_aiter": False,
        "deep_gemm_wrapper": Given(ENABLE_JIT_DEEPGEMM=deepgemm(source, card) == "on"), "Fp8GemmRunnerBackend": str,
    }  # fmt: skip
    names = ["_check_cutlass_block_fp8_hardware_support", "_dispatch_auto_backend", "initialize_fp8_gemm_config"]
    given = source.load("layers/quantization/fp8_utils.py", names, given)
    given["initialize_fp8_gemm_config"](Given(fp8_gemm_runner_backend="auto"))
    resolved = given["FP8_GEMM_RUNNER_BACKEND"]
    return given["_dispatch_auto_backend"]() if resolved == "auto" else resolved


def hybrid_gdn(source, card, **named):
    method = source.load(ARGUMENTS, ["ServerArgs._handle_mamba_radix_cache"], asked(card))["_handle_mamba_radix_cache"]
    args = Given(attention_backend=named.get("attention_backend"), disable_radix_cache=False)
    method(args, "Qwen3_5MoeForConditionalGeneration", False, True, "triton")
    return args.attention_backend


def sparse_attention(source, card, architecture, kv, attention=None, prefill=None, decode=None):
    if not source.has(OVERRIDES, "def _dsa_split_backend_resolution"):
        kind = "nsa" if source.has(ARGUMENTS, "def _set_default_nsa_backends") else "dsa"
        return _sparse_attention_method(source, card, kind, kv, attention or kind, prefill, decode)
    sys.modules["torch"] = torch_with(card)
    config = Given(hf_config=Given(architectures=[architecture]))
    view = Given(
        kv_cache_dtype=kv, dsa_prefill_backend=prefill, dsa_decode_backend=decode, enable_hisparse=False,
        get_model_config=lambda: config, **_attention(attention or "dsa"),
    )  # fmt: skip
    names = ["_DEEPSEEK_FAMILY_ARCHS", "_check_dsa_backend_constraints", "_check_tilelang_dsa_fp8_kv"]
    given = {**asked(card), "model_config_of": lambda view: config}
    given = source.load(OVERRIDES, [*names, "_dsa_split_backend_resolution"], given)
    view.__dict__.update(given["_dsa_split_backend_resolution"](view))
    return f"{view.dsa_prefill_backend} {view.dsa_decode_backend}"


def _attention(backend):
    return {"attention_backend": backend, "prefill_attention_backend": None, "decode_attention_backend": None}


def _sparse_attention_method(source, card, kind, kv, attention, prefill, decode):
    """The same in releases that decide it in a method of ServerArgs, without looking at the architecture."""
    hook = Given(**{f"apply_hisparse_{kind}_backend_defaults": lambda *a: False})
    sys.modules["sglang.srt.arg_groups.hisparse_hook"] = hook
    args = Given(**{f"{kind}_prefill_backend": prefill, f"{kind}_decode_backend": decode}, **_attention(attention))
    args.kv_cache_dtype = kv
    name = f"_set_default_{kind}_backends"
    source.load(ARGUMENTS, [f"ServerArgs.{name}"], asked(card))[name](args, kv, card)
    return f"{vars(args)[f'{kind}_prefill_backend']} {vars(args)[f'{kind}_decode_backend']}"


def trtllm_mla(source, card, option="attention_backend"):
    args = Given(kv_cache_dtype="auto", page_size=64, **_attention("triton"))
    setattr(args, option, "trtllm_mla")
    if source.has(OVERRIDES, "def _mla_kv_cache_dtype_checks"):
        source.load(OVERRIDES, ["_mla_kv_cache_dtype_checks"], asked(card))["_mla_kv_cache_dtype_checks"](args)
    else:
        source.conditions(ARGUMENTS, "_handle_attention_backend_compatibility", "trtllm_mla")(args, asked(card))
    return "accepted"


def nvfp4_moe(source, card, flag=None, checkpoint="modelopt_fp4", runner="auto"):
    given = asked(card)
    config = Given(quantization=checkpoint)
    view = Given(
        quantization=flag, moe_runner_backend=runner, ep_size=1, tp_size=8, moe_a2a_backend="none",
        get_model_config=lambda: config, enforce_piecewise_cuda_graph=True,
    )  # fmt: skip
    if source.has(OVERRIDES, "def _moe_runner_backend_quant_constraints"):
        given["model_config_of"] = lambda view: config
        rule = source.load(OVERRIDES, ["_moe_runner_backend_quant_constraints"], given)
        view.__dict__.update(rule["_moe_runner_backend_quant_constraints"](view))
    else:
        source.load(ARGUMENTS, ["ServerArgs._handle_moe_kernel_config"], given)["_handle_moe_kernel_config"](view)
    if checkpoint != "modelopt_fp4":
        return view.moe_runner_backend
    return _nvfp4_kernel(source, card, view.moe_runner_backend)


class Backend(str):
    """One member of SGLang's runner enumeration, with its ``is_…()`` questions."""

    def __getattr__(self, name):
        return lambda: str(self) == name.removeprefix("is_")


def _nvfp4_kernel(source, card, resolved):
    """The kernel that NVFP4 experts run on, by the layer's own choice from the resolved setting."""
    made = []
    given = {
        **asked(card), "get_moe_runner_backend": lambda: Backend(resolved),
        "MoeRunnerBackend": Given(FLASHINFER_TRTLLM=Backend("flashinfer_trtllm"), MARLIN=Backend("marlin")),
        "MoeRunner": lambda backend, config: made.append(str(backend)), "get_moe_a2a_backend": lambda: Backend("none"),
    }  # fmt: skip
    name = "ModelOptNvFp4FusedMoEMethod.create_moe_runner"
    method = source.load("layers/quantization/modelopt_quant.py", [name], given)["create_moe_runner"]
    method(Given(_is_cutedsl_v1_deepep=False), Given(), Given())
    return made[0] if made else resolved


def on_cards(source, probe, **case):
    return {f"{card}": answer(partial(probe, source, card, **case)) for card in CARDS}


def main(root):
    source = Source(root)
    found = {"credentials-disclosed": credentials(source), "trtllm-mla": {}, "sparse-attention-default": {}}
    for option in ("attention_backend", "prefill_attention_backend", "decode_attention_backend"):
        found["trtllm-mla"][option] = on_cards(source, trtllm_mla, option=option)
    for architecture in ("DeepseekV32ForCausalLM", "GlmMoeDsaForCausalLM"):
        for kv in ("fp8_e4m3", "bfloat16"):
            for named in ({}, {"attention": "triton"}, {"decode": "flashmla_kv"}, {"prefill": "fa3", "decode": "fa3"}):
                case = " ".join([architecture, kv, *(f"{key}={value}" for key, value in named.items())])
                found["sparse-attention-default"][case] = on_cards(
                    source, sparse_attention, architecture=architecture, kv=kv, **named
                )
    found["torch-symmetric-memory"] = {"size table": on_cards(source, torch_symm_mem)}
    if source.has("layers/flashinfer_comm_fusion.py", "requires SM90 or SM10X"):
        found["flashinfer-all-reduce-fusion"] = {"asked for": on_cards(source, allreduce_fusion)}
    if source.has("layers/deep_gemm_wrapper/configurer.py", "is_blackwell_supported"):
        found["deepgemm-jit-off"] = {"DeepGEMM": on_cards(source, deepgemm)}
        found["fp8-auto-deepgemm"] = {"block FP8 auto": on_cards(source, fp8_auto)}
    if source.has(ARGUMENTS, "sm100_default_attention_backend"):
        found["gdn-attention-auto"] = {
            "unset": on_cards(source, hybrid_gdn),
            "named": on_cards(source, hybrid_gdn, attention_backend="trtllm_mha"),
        }
    if source.has("layers/quantization/modelopt_quant.py", "MoeRunnerBackend.FLASHINFER_TRTLLM"):
        found["nvfp4-moe-auto"] = {
            "with the flag": on_cards(source, nvfp4_moe, flag="modelopt_fp4"),
            "without the flag": on_cards(source, nvfp4_moe),
            "named": on_cards(source, nvfp4_moe, flag="modelopt_fp4", runner="flashinfer_cutedsl"),
            "FP8 checkpoint": on_cards(source, nvfp4_moe, checkpoint="fp8"),
        }
    print(json.dumps(found, sort_keys=True))


if __name__ == "__main__":
    main(sys.argv[1])
