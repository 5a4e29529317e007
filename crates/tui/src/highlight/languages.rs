//! What languages call their things.
//!
//! A table, not a description: enough to tell words from comments and texts. A language that is not
//! here is shown plain.

use super::Notation;
use super::code::Habit::{Caseless, Commands, Directives, Keys, Nests, RawTexts, Sections};
use super::code::Quote::{Character, Long, Short, Verbatim};
use super::code::{Code, Quote, is_among};

/// Every way of writing there is.
#[cfg(test)]
pub(super) fn all() -> impl Iterator<Item = Notation> {
    let others = [
        Notation::Console,
        Notation::Diff,
        Notation::Prose,
        Notation::Tags,
    ];
    let code = LANGUAGES.iter().map(|code| Notation::Code(code));
    code.chain(others)
}

/// What is written under this name, in lower case.
pub(super) fn find(name: &str) -> Option<Notation> {
    match name {
        "console" | "shell-session" | "shellsession" | "terminal" => Some(Notation::Console),
        "diff" | "patch" | "udiff" => Some(Notation::Diff),
        "markdown" | "md" | "mdx" | "rmd" => Some(Notation::Prose),
        "html" | "htm" | "xhtml" | "xml" | "svg" | "vue" | "svelte" | "xsl" | "xslt" | "plist"
        | "rss" | "csproj" | "xaml" | "jsp" | "erb" => Some(Notation::Tags),
        _ => {
            let code = LANGUAGES.iter().find(|code| is_among(name, code.names))?;
            Some(Notation::Code(code))
        }
    }
}

const BLOCK3: &[Quote] = &[Long("\"\"\"", "\"\"\""), Short("\""), Short("'")];
const BLOCK3_CHAR: &[Quote] = &[Long("\"\"\"", "\"\"\""), Short("\""), Character];
const C: &[Quote] = &[Short("\""), Short("'")];
const CHAR: &[Quote] = &[Short("\""), Character];
const DOUBLE: &[Quote] = &[Short("\"")];
const DOUBLE_LONG: &[Quote] = &[Long("\"", "\"")];
const GO: &[Quote] = &[Verbatim("`", "`"), Short("\""), Short("'")];
const LISP: &[Quote] = &[Long("\"", "\"")];
const LONG: &[Quote] = &[Long("\"", "\""), Long("'", "'")];
const LUA: &[Quote] = &[Verbatim("[[", "]]"), Short("\""), Short("'")];
const NIX: &[Quote] = &[Verbatim("''", "''"), Long("\"", "\"")];
const NONE: &[Quote] = &[];
const PYTHON: &[Quote] = &[
    Long("\"\"\"", "\"\"\""),
    Long("'''", "'''"),
    Short("\""),
    Short("'"),
];
const PYTHON_CHAR: &[Quote] = &[Long("\"\"\"", "\"\"\""), Long("\"", "\""), Character];
const RUST: &[Quote] = &[Long("\"", "\""), Character];
const SCRIPT: &[Quote] = &[Long("`", "`"), Short("\""), Short("'")];
const SHELL: &[Quote] = &[Long("\"", "\""), Verbatim("'", "'")];
const SQL: &[Quote] = &[Verbatim("'", "'"), Short("\"")];
const TOML: &[Quote] = &[
    Long("\"\"\"", "\"\"\""),
    Verbatim("'''", "'''"),
    Short("\""),
    Short("'"),
];

/// What most languages share.
const LIKE_C: Code = Code {
    names: "",
    remarks: &["//"],
    comment: Some(("/*", "*/")),
    quotes: C,
    keywords: "",
    constants: "true false null",
    letters: "",
    habits: &[],
};

/// What shells read.
pub(super) static SHELL_CODE: Code = Code {
    names: "sh bash zsh shell ksh fish ash dash shellscript bashrc zshrc",
    remarks: &["#"],
    comment: None,
    quotes: SHELL,
    keywords: "case coproc do done elif else esac export fi for function if in local readonly \
        return select set source then time trap unset until while declare typeset alias exit \
        end begin and or not switch",
    constants: "true false",
    letters: "-./:+~%=@,",
    habits: &[Commands],
};

static LANGUAGES: &[&Code] = &[
    &SHELL_CODE,
    &Code {
        names: "rust rs",
        quotes: RUST,
        keywords: "as async await break const continue crate dyn else enum extern fn for if impl in \
            let loop macro_rules match mod move mut pub ref return self Self static struct \
            super trait type union unsafe use where while yield bool char f32 f64 i8 i16 i32 \
            i64 i128 isize str u8 u16 u32 u64 u128 usize",
        constants: "true false None Some Ok Err",
        habits: &[Nests, RawTexts],
        ..LIKE_C
    },
    &Code {
        names: "python py py3 python3 pyi sage starlark bzl",
        remarks: &["#"],
        comment: None,
        quotes: PYTHON,
        keywords: "and as assert async await break case class continue def del elif else except \
            finally for from global if import in is lambda match nonlocal not or pass raise \
            return try type while with yield",
        constants: "True False None Ellipsis NotImplemented",
        ..LIKE_C
    },
    &Code {
        names: "javascript js jsx mjs cjs node typescript ts tsx mts cts astro",
        quotes: SCRIPT,
        keywords: "abstract any as async await boolean break case catch class const continue \
            debugger declare default delete do else enum export extends finally for from \
            function get if implements import in infer instanceof interface is keyof let \
            namespace never new number object of override private protected public readonly \
            return satisfies set static string super switch symbol this throw try type \
            typeof unknown var void while with yield",
        constants: "true false null undefined NaN Infinity",
        letters: "$",
        ..LIKE_C
    },
    &Code {
        names: "c h",
        keywords: "auto break case char const continue default do double else enum extern float for \
            goto if inline int long register restrict return short signed sizeof static \
            struct switch typedef union unsigned void volatile while bool size_t int8_t \
            int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t",
        constants: "true false NULL nullptr",
        habits: &[Directives],
        ..LIKE_C
    },
    &Code {
        names: "c++ cpp cc cxx hpp hh hxx cu cuda ino glsl wgsl hlsl metal",
        keywords: "alignas alignof auto bool break case catch char char8_t char16_t char32_t class \
            co_await co_return co_yield concept const consteval constexpr constinit \
            const_cast continue decltype default delete do double dynamic_cast else enum \
            explicit export extern final float for friend goto if inline int long mutable \
            namespace new noexcept operator override private protected public register \
            reinterpret_cast requires return short signed sizeof static static_assert \
            static_cast struct switch template this thread_local throw try typedef typeid \
            typename union unsigned using virtual void volatile wchar_t while fn let var",
        constants: "true false NULL nullptr",
        habits: &[Directives],
        ..LIKE_C
    },
    &Code {
        names: "objective-c objc objectivec m mm",
        keywords: "@autoreleasepool @class @end @implementation @import @interface @property \
            @protocol @selector @synthesize auto break case char const continue default do \
            double else enum extern float for goto id if in int long return self short \
            signed sizeof static struct super switch typedef union unsigned void volatile \
            while BOOL",
        constants: "YES NO nil NULL true false",
        letters: "@",
        habits: &[Directives],
        ..LIKE_C
    },
    &Code {
        names: "c# cs csharp",
        quotes: BLOCK3,
        keywords: "abstract as async await base bool break byte case catch char checked class const \
            continue decimal default delegate do double else enum event explicit extern \
            finally fixed float for foreach from get goto if implicit in init int interface \
            internal is join let lock long nameof namespace new object operator orderby out \
            override params partial private protected public readonly record ref required \
            return sbyte sealed select set short sizeof stackalloc static string struct \
            switch this throw try typeof uint ulong unchecked unsafe ushort using var \
            virtual void volatile when where while with yield",
        habits: &[Directives],
        ..LIKE_C
    },
    &Code {
        names: "java",
        quotes: BLOCK3,
        keywords: "abstract assert boolean break byte case catch char class const continue default \
            do double else enum extends final finally float for goto if implements import \
            instanceof int interface long native new non-sealed package permits private \
            protected public record return sealed short static strictfp super switch \
            synchronized this throw throws transient try var void volatile while yield",
        ..LIKE_C
    },
    &Code {
        names: "kotlin kt kts",
        quotes: BLOCK3,
        keywords: "abstract actual annotation as break by catch class companion const constructor \
            continue crossinline data do else enum expect external final finally for fun get \
            if import in infix init inline inner interface internal is lateinit noinline \
            object open operator out override package private protected public reified \
            return sealed set super suspend tailrec this throw try typealias val value var \
            vararg when where while",
        habits: &[Nests],
        ..LIKE_C
    },
    &Code {
        names: "scala sc sbt",
        quotes: BLOCK3_CHAR,
        keywords: "abstract case catch class def derives do else end enum export extends extension \
            final finally for forSome given if implicit import inline lazy match new object \
            opaque override package private protected return sealed super then this throw \
            trait transparent try type using val var while with yield",
        habits: &[Nests],
        ..LIKE_C
    },
    &Code {
        names: "swift",
        quotes: BLOCK3,
        keywords: "actor any as associatedtype async await break case catch class continue \
            convenience default defer deinit didSet do else enum extension fallthrough \
            fileprivate final for func get guard if import in indirect infix init inout \
            internal is lazy let mutating nonisolated open operator override postfix \
            precedencegroup prefix private protocol public repeat required rethrows return \
            self Self set some static struct subscript super switch throw throws try \
            typealias unowned var weak where while willSet",
        constants: "true false nil",
        habits: &[Nests, Directives],
        ..LIKE_C
    },
    &Code {
        names: "go golang",
        quotes: GO,
        keywords: "any bool break byte case chan comparable complex64 complex128 const continue \
            default defer else error fallthrough float32 float64 for func go goto if import \
            int int8 int16 int32 int64 interface map package range return rune select string \
            struct switch type uint uint8 uint16 uint32 uint64 uintptr var",
        constants: "true false nil iota",
        ..LIKE_C
    },
    &Code {
        names: "dart",
        quotes: BLOCK3,
        keywords: "abstract as assert async await base bool break case catch class const continue \
            covariant default deferred do double dynamic else enum export extends extension \
            external factory final finally for Function get hide if implements import in int \
            interface is late library mixin new num on operator part required rethrow return \
            sealed set show static String super switch sync this throw try typedef var void \
            when while with yield",
        habits: &[Nests],
        ..LIKE_C
    },
    &Code {
        names: "zig",
        comment: None,
        keywords: "addrspace align allowzero and anyframe anytype asm async await bool break \
            callconv catch comptime const continue defer else enum errdefer error export \
            extern fn for if inline linksection noalias noinline nosuspend opaque or orelse \
            packed pub resume return struct suspend switch test threadlocal try type union \
            unreachable usingnamespace usize var void volatile while",
        constants: "true false null undefined",
        letters: "@",
        ..LIKE_C
    },
    &Code {
        names: "groovy gradle jenkinsfile",
        quotes: BLOCK3,
        keywords: "abstract as assert boolean break byte case catch char class continue def default \
            do double else enum extends final finally float for if implements import in \
            instanceof int interface long native new package private protected public return \
            short static super switch synchronized this throw throws trait transient try \
            void volatile while",
        ..LIKE_C
    },
    &Code {
        names: "php php3 php4 php5 phtml",
        remarks: &["//", "#"],
        quotes: LONG,
        keywords: "abstract and array as bool break callable case catch class clone const continue \
            declare default do echo else elseif empty enddeclare endfor endforeach endif \
            endswitch endwhile enum extends final finally float fn for foreach function \
            global goto if implements include include_once instanceof insteadof int \
            interface isset list match mixed namespace new or print private protected public \
            readonly require require_once return self static string switch throw trait try \
            unset use var void while xor yield",
        letters: "$",
        habits: &[Caseless],
        ..LIKE_C
    },
    &Code {
        names: "ruby rb rake gemspec gemfile rakefile podfile vagrantfile",
        remarks: &["#"],
        comment: Some(("=begin", "=end")),
        quotes: LONG,
        keywords: "alias and attr_accessor attr_reader attr_writer begin break case class def \
            defined? do else elsif end ensure extend for if in include loop module new next \
            not or prepend private protected public raise redo require require_relative \
            rescue retry return self super then undef unless until when while yield",
        constants: "true false nil",
        letters: "?",
        ..LIKE_C
    },
    &Code {
        names: "perl pl pm raku",
        remarks: &["#"],
        comment: None,
        quotes: LONG,
        keywords: "and bless cmp continue die do each else elsif eq eval for foreach ge given gt if \
            last le local lt my ne next no not or our package print printf push redo require \
            return say shift sub undef unless until use when while xor",
        constants: "",
        letters: "$",
        ..LIKE_C
    },
    &Code {
        names: "lua luau",
        remarks: &["--"],
        comment: Some(("--[[", "]]")),
        quotes: LUA,
        keywords: "and break do else elseif end for function goto if in local not or repeat return \
            then until while",
        constants: "true false nil",
        ..LIKE_C
    },
    &Code {
        names: "r rlang",
        remarks: &["#"],
        comment: None,
        quotes: LONG,
        keywords: "break else for function if in library next repeat require return while",
        constants: "TRUE FALSE NULL NA NaN Inf",
        letters: ".",
        ..LIKE_C
    },
    &Code {
        names: "julia jl",
        remarks: &["#"],
        comment: Some(("#=", "=#")),
        quotes: PYTHON_CHAR,
        keywords: "abstract baremodule begin break catch const continue do else elseif end export \
            finally for function global if import in isa let local macro module mutable \
            primitive quote return struct try type using where while",
        constants: "true false nothing missing Inf NaN",
        letters: "!",
        habits: &[Nests],
    },
    &Code {
        names: "elixir ex exs",
        remarks: &["#"],
        comment: None,
        quotes: PYTHON,
        keywords: "after alias and case catch cond def defimpl defmacro defmacrop defmodule defp \
            defprotocol defstruct do else end fn for if import in not or quote raise receive \
            require rescue super throw try unless unquote use when with",
        constants: "true false nil",
        letters: "?",
        ..LIKE_C
    },
    &Code {
        names: "erlang erl hrl",
        remarks: &["%"],
        comment: None,
        quotes: LONG,
        keywords: "after and andalso band begin bnot bor bsl bsr bxor case catch cond div else end \
            fun if let maybe not of or orelse receive rem try when xor",
        constants: "true false undefined",
        ..LIKE_C
    },
    &Code {
        names: "haskell hs lhs purescript purs elm",
        remarks: &["--"],
        comment: Some(("{-", "-}")),
        quotes: CHAR,
        keywords: "as case class data default deriving do else exposing family forall foreign \
            hiding if import in infix infixl infixr instance let mdo module newtype of port \
            qualified rec then type where",
        constants: "True False Nothing Just",
        habits: &[Nests],
        ..LIKE_C
    },
    &Code {
        names: "ocaml ml mli reason re f# fs fsharp fsx",
        comment: Some(("(*", "*)")),
        quotes: CHAR,
        keywords: "and as assert begin class constraint do done downto else end exception external \
            for fun function functor if in include inherit initializer lazy let match member \
            method module mutable namespace new nonrec object of open or override private \
            rec sig struct then to try type use val virtual when while with yield",
        constants: "true false None Some",
        habits: &[Nests],
        ..LIKE_C
    },
    &Code {
        names: "clojure clj cljs cljc edn lisp cl el elisp emacs-lisp common-lisp scheme scm \
            racket rkt fennel",
        remarks: &[";"],
        comment: None,
        quotes: LISP,
        keywords: "and case cond def defmacro defmethod defn defn- defparameter defprotocol \
            defrecord define defun defvar do doseq dotimes fn for if if-let import in-ns \
            lambda let let* letrec loop ns or quote recur require set! setf setq throw try \
            unless use when when-let when-not",
        constants: "true false nil t #t #f",
        letters: "-?!*+/<>=:&.",
        ..LIKE_C
    },
    &Code {
        names: "sql mysql postgresql postgres psql plsql plpgsql sqlite tsql",
        remarks: &["--"],
        quotes: SQL,
        keywords: "add all alter analyze and as asc begin between bigint bigserial boolean by \
            cascade case char character check column commit conflict constraint create cross \
            current_date current_timestamp database date decimal declare default delete desc \
            distinct do double drop each else end escape except exists explain extract fetch \
            filter first float for foreign from full function grant group having if ilike in \
            index inner insert instead int integer intersect interval into is join json \
            jsonb key language last lateral left like limit materialized merge natural no \
            not nothing nulls numeric of offset on only or order outer over partition \
            precision primary procedure real recursive references replace returning returns \
            revoke right rollback row rows schema select sequence serial set smallint table \
            temp temporary text then time timestamp timestamptz to transaction trigger \
            truncate type union unique update using uuid values varchar view when where \
            window with",
        habits: &[Caseless],
        ..LIKE_C
    },
    &Code {
        names: "powershell ps1 psm1 pwsh posh",
        remarks: &["#"],
        comment: Some(("<#", "#>")),
        quotes: LONG,
        keywords: "-and -eq -ge -gt -in -le -like -lt -match -ne -not -notlike -notmatch -or begin \
            break catch class continue data do dynamicparam else elseif end enum exit filter \
            finally for foreach from function if in param process return switch throw trap \
            try until using while",
        constants: "$true $false $null",
        letters: "-$",
        habits: &[Caseless],
    },
    &Code {
        names: "batch bat cmd dos",
        remarks: &["REM", "rem", "::"],
        comment: None,
        quotes: DOUBLE,
        keywords: "call do else endlocal exist exit for goto if in not pause set setlocal shift",
        constants: "",
        letters: "-./@%",
        habits: &[Caseless, Commands],
    },
    &Code {
        names: "dockerfile docker containerfile",
        remarks: &["#"],
        comment: None,
        quotes: SHELL,
        keywords: "ADD ARG AS CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL MAINTAINER \
            ONBUILD RUN SHELL STOPSIGNAL USER VOLUME WORKDIR",
        constants: "",
        letters: "-./:=",
        ..LIKE_C
    },
    &Code {
        names: "makefile make mk mak gnumakefile justfile just",
        remarks: &["#"],
        comment: None,
        keywords: "define else endef endif export ifdef ifeq ifndef ifneq include override unexport",
        constants: "",
        letters: "-./%",
        habits: &[Keys(':')],
        ..LIKE_C
    },
    &Code {
        names: "cmake",
        remarks: &["#"],
        comment: Some(("#[[", "]]")),
        quotes: DOUBLE_LONG,
        keywords: "and else elseif endforeach endfunction endif endmacro endwhile exists foreach \
            function if in macro not or return set while",
        constants: "on off true false",
        letters: "-",
        habits: &[Caseless],
    },
    &Code {
        names: "json jsonc json5 jsonl ndjson geojson webmanifest",
        letters: "$",
        habits: &[Keys(':')],
        ..LIKE_C
    },
    &Code {
        names: "yaml yml",
        remarks: &["#"],
        comment: None,
        quotes: LONG,
        constants: "true false null yes no on off",
        letters: "-./$",
        habits: &[Keys(':')],
        ..LIKE_C
    },
    &Code {
        names: "toml",
        remarks: &["#"],
        comment: None,
        quotes: TOML,
        constants: "true false inf nan",
        letters: "-.",
        habits: &[Keys('='), Sections],
        ..LIKE_C
    },
    &Code {
        names: "ini cfg conf config properties editorconfig desktop env dotenv gitconfig systemd \
            service",
        remarks: &["#", ";"],
        comment: None,
        quotes: DOUBLE,
        constants: "true false yes no on off",
        letters: "-./",
        habits: &[Keys('='), Sections],
        ..LIKE_C
    },
    &Code {
        names: "css scss sass less",
        keywords: "@apply @container @else @extend @font-face @for @forward @function @if @import \
            @include @keyframes @layer @media @mixin @return @supports @tailwind @use \
            !important",
        constants: "",
        letters: "-$@#",
        habits: &[Keys(':')],
        ..LIKE_C
    },
    &Code {
        names: "hcl terraform tf tfvars nomad",
        remarks: &["#", "//"],
        quotes: DOUBLE,
        keywords: "check data dynamic for for_each if import in locals module moved output provider \
            required_providers resource terraform variable",
        letters: "-",
        habits: &[Keys('=')],
        ..LIKE_C
    },
    &Code {
        names: "nix",
        remarks: &["#"],
        quotes: NIX,
        keywords: "assert else if import in inherit let or rec then with",
        letters: "-'",
        ..LIKE_C
    },
    &Code {
        names: "protobuf proto proto3",
        keywords: "bool bytes double enum extend extensions fixed32 fixed64 float import int32 \
            int64 map message oneof option optional package public repeated required \
            reserved returns rpc service sfixed32 sfixed64 sint32 sint64 stream string \
            syntax to uint32 uint64",
        ..LIKE_C
    },
    &Code {
        names: "graphql gql",
        remarks: &["#"],
        comment: None,
        quotes: PYTHON,
        keywords: "directive enum extend fragment implements input interface mutation on query \
            scalar schema subscription type union",
        letters: "$@",
        ..LIKE_C
    },
    &Code {
        names: "solidity sol",
        keywords: "abstract address anonymous as assembly bool break bytes calldata case catch \
            constant constructor continue contract delete do else emit enum error event \
            external fallback for function if immutable import indexed int interface \
            internal is library mapping memory modifier new override payable pragma private \
            public pure receive return returns revert storage string struct switch this \
            throw try type uint uint256 unchecked using view virtual while",
        ..LIKE_C
    },
    &Code {
        names: "tex latex sty bib",
        remarks: &["%"],
        comment: None,
        quotes: NONE,
        keywords: "\\begin \\end \\section \\subsection \\subsubsection \\documentclass \
            \\usepackage \\newcommand \\label \\ref \\cite \\item \\textbf \\emph",
        constants: "",
        letters: "\\",
        ..LIKE_C
    },
];
