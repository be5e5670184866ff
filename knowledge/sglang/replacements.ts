/** What took the place of an option where the releases' own parsers do not say it. */

/** What to use in place of an option that is gone, by its name; `source` is where that is known from. */
export const withoutOption: Readonly<Record<string, { readonly use: string; readonly source: string }>> = {
    "--enable-nan-detection": {
        use: "the environment variable SGLANG_SANITIZE_NAN_LOGITS=1, from 0.5.14 on",
        source: "sglang/srt/environ.py in the wheels of 0.5.14 and newer",
    },
};
