//! Every dialect: one call, several, words around them, quotes and braces and markup inside, tools
//! that there are not, and texts that break off.

use super::check;

/// Writes a test for each dialect. `text => "expected"`; `text => _` comes out as it is.
macro_rules! dialects {
    ($($name:ident { $($text:expr => $expected:tt,)+ })+) => {$(
        #[test]
        fn $name() {
            $(check($text, dialects!(@ $text, $expected));)+
        }
    )+
        /// Every text of every dialect.
        pub(super) const TEXTS: &[&str] = &[$($($text,)+)+];
    };
    (@ $text:expr, _) => { $text };
    (@ $text:expr, $expected:literal) => { $expected };
}

dialects! {
    fenced_json {
        "```json\n{\"tool_call\": {\"name\": \"read\", \"arguments\": {\"p\": \"a\"}}}\n```" => r#"⟦read {"p":"a"}⟧"#,
        "Now\n```tool_call\n{\"name\": \"todo\"}\n```\nand" => "Now\n⟦todo {}⟧\nand",
        "```json\n[{\"name\": \"todo\", \"args\": {}}, {\"name\": \"read\", \"args\": {}}]\n```" => "⟦todo {}⟧⟦read {}⟧",
        "Look: ```json\n{\"name\": \"todo\", \"args\": {}}\n```" => "Look: ⟦todo {}⟧",
        "- ```json\n  {\"name\": \"todo\", \"args\": {}}\n  ```\nx" => "- ⟦todo {}⟧\nx",
        "```json\n{\"name\": \"write\", \"args\": {\"c\": \"```\\n}\\\"{\"}}\n```" => "⟦write {\"c\":\"```\\n}\\\"{\"}⟧",
        "```json\n{\"name\": \"todo\", \"args\": {}}\n```json\n{\"name\": \"read\", \"args\": {}}\n```" => "⟦todo {}⟧⟦read {}⟧",
        "``` json\n{\"name\": \"todo\", \"args\": {}}\n```" => "⟦todo {}⟧",
        "```json\n{\"name\": \"todo\", \"args\": {}}" => "⟦todo {}⟧",
        "```json\n{\"name\": \"todo\", \"args\": {}" => _,
        "```json\n{\"name\": \"nope\", \"args\": {}}\n```\nx" => _,
        "```json\n{\"name\": \"todo\", \"args\": {}}\n{\"a\": 1}\n```\nx" => _,
        "```json\n{\"name\": \"todo\", \"args\": {}}\nand more\n```\nx" => _,
        "```json\n{\"tool_call\": {\"name\": }}\n```\n```json\n{\"name\": \"todo\", \"args\": {}}\n```" => "```json\n{\"tool_call\": {\"name\": }}\n```\n⟦todo {}⟧",
        "```json\n{\"tool_call\": {\"name\": \"x\"\n```\n```json\n{\"name\": \"todo\", \"args\": {}}\n```" => "```json\n{\"tool_call\": {\"name\": \"x\"\n```\n⟦todo {}⟧",
    }
    bare_wrapper {
        "{\"tool_call\": {\"name\": \"todo\"}}" => "⟦todo {}⟧",
        "First {'tool_call': {'name': 'todo'}} then {tool_calls: [{name: 'read'}, {name: 'todo'}]}." => "First ⟦todo {}⟧ then ⟦read {}⟧⟦todo {}⟧.",
        "{\"thought\": \"hm\", \"tool_call\": {\"name\": \"todo\"}} so" => "⟦todo {}⟧ so",
        "a {\"tool_call\": {\"name\": \"write\", \"args\": {\"c\": \"}}\\\"{{\"}}}" => "a ⟦write {\"c\":\"}}\\\"{{\"}⟧",
        "a {\"tool_call\": {\"name\": \"nope\"}} b" => _,
        "a {\"tool_call\": {\"name\": \"todo\"}" => _,
        "a {\"tool_call\" is a key}, {} and {\"tool_calls\"}" => _,
        // Badly escaped: what looks like a call is the inside of a string.
        "a {\"tool_call\": {\"name\": \"write\", \"args\": {\"c\": \"say \"x\" {\"tool_call\": {\"name\": \"todo\"}}\"}}} b" => _,
    }
    whole_message {
        "{\"name\": \"read\", \"arguments\": {\"p\": \"a\"}}" => r#"⟦read {"p":"a"}⟧"#,
        "\n {\"name\": \"read\", \"parameters\": {\"p\": \"a\"}}\n" => "\n ⟦read {\"p\":\"a\"}⟧",
        "{\"name\": \"todo\", \"parameters\": {}}; {\"name\": \"read\", \"parameters\": {}}<|eot_id|>" => "⟦todo {}⟧⟦read {}⟧",
        "[{\"name\": \"todo\", \"arguments\": {}}, {\"name\": \"read\", \"arguments\": {}}]" => "⟦todo {}⟧⟦read {}⟧",
        "<think>hm</think>\n{\"name\": \"todo\", \"arguments\": {}}" => "⟪hm⟫\n⟦todo {}⟧",
        "{\"name\": \"write\", \"arguments\": {\"c\": \"{\\\"tool_call\\\": {\\\"name\\\": \\\"todo\\\"}}\"}}" => "⟦write {\"c\":\"{\\\"tool_call\\\": {\\\"name\\\": \\\"todo\\\"}}\"}⟧",
        "{\"name\": \"todo\", \"arguments\": {}} is how" => _,
        "So: {\"name\": \"todo\", \"arguments\": {}}" => _,
        "{\"name\": \"todo\"}" => _,
        "{\"name\": \"todo\", \"arguments\": {}" => _,
        "{\"name\": \"todo\", \"description\": \"d\", \"parameters\": {}}" => _,
        "[1, 2]" => _,
    }
    hermes {
        "<tool_call>\n{\"name\": \"read\", \"arguments\": {\"p\": \"a\"}}\n</tool_call>" => r#"⟦read {"p":"a"}⟧"#,
        "<tool_call>{\"name\": \"todo\"}</tool_call> <tool_call>{\"name\": \"read\"}</tool_call>" => "⟦todo {}⟧ ⟦read {}⟧",
        "<tool_call>{\"name\": \"todo\"}\n<tool_call>{\"name\": \"read\"}\n</tool_call>" => "⟦todo {}⟧⟦read {}⟧",
        "Well. <tool_call>{\"name\": \"todo\"}</tool_call> Done." => "Well. ⟦todo {}⟧ Done.",
        "<tool_call>{\"name\": \"write\", \"arguments\": {\"c\": \"</tool_call> <tool_call>{}\"}}</tool_call>" => r#"⟦write {"c":"</tool_call> <tool_call>{}"}⟧"#,
        "<tool_call>{\"name\": \"todo\"}<|im_end|>" => "⟦todo {}⟧",
        "<tool_call>{\"name\": \"todo\"}</tool_c" => "⟦todo {}⟧",
        "<tool_call>{\"name\": \"todo\"" => _,
        "<tool_call>{\"name\": \"nope\"}</tool_call> x" => _,
        "<tool_call>{\"name\": \"todo\", \"arguments\": [1]}</tool_call> x" => _,
        "<tool_call>{\"name\": \"todo\", \"arguments\": {}</tool_call> and <tool_call>{\"name\": \"todo\"}</tool_call>" => "<tool_call>{\"name\": \"todo\", \"arguments\": {}</tool_call> and ⟦todo {}⟧",
        "The <tool_call> tag, <tool_call>{...}</tool_call>, <tool_call>" => _,
    }
    qwen3_coder {
        "<tool_call>\n<function=read>\n<parameter=p>\na\n</parameter>\n<parameter=n>\n5\n</parameter>\n</function>\n</tool_call>" => r#"⟦read {"p":"a","n":5}⟧"#,
        "<tool_call><function=todo></function></tool_call>\n<tool_call><function=read></function></tool_call>" => "⟦todo {}⟧\n⟦read {}⟧",
        "a <function=todo>\n</function>\n</tool_call> b" => "a ⟦todo {}⟧ b",
        "<function=write><parameter=c>if a < b { \"x\" }\n</function</parameter></function>" => "⟦write {\"c\":\"if a < b { \\\"x\\\" }\\n</function\"}⟧",
        "<function=write>\n<parameter=c>\n<function=todo>\n<parameter=x>\n1\n</parameter>\n</function>\n</parameter>\n</function>" => "⟦write {\"c\":\"<function=todo>\\n<parameter=x>\\n1\\n</parameter>\\n</function>\"}⟧",
        "<seed:tool_call>\n<function=read>\n<parameter=p>a</parameter>\n</function>\n</seed:tool_call>" => r#"⟦read {"p":"a"}⟧"#,
        "<tool_call><function=todo></function>" => "⟦todo {}⟧",
        "<tool_call><function=read><parameter=p>a</parameter>" => _,
        "<tool_call><function=read><parameter=p>a" => _,
        "<function=nope><parameter=c><function=todo></function></parameter></function> x" => _,
        "<function=write><parameter=c>a</parameter> <function=todo></function> </function> x" => "<function=write><parameter=c>a</parameter> <function=todo></function> </function> x",
        "Write <function=NAME> and <parameter=KEY>." => _,
    }
    llama_function_tag {
        "<function=read>{\"p\": \"a\"}</function>" => r#"⟦read {"p":"a"}⟧"#,
        "<function=todo>{}</function><function=read>{}</function>" => "⟦todo {}⟧⟦read {}⟧",
        "Now <function=todo>{}</function> done" => "Now ⟦todo {}⟧ done",
        "<function=write>{\"c\": \"</function>}{\\\"\"}</function>" => "⟦write {\"c\":\"</function>}{\\\"\"}⟧",
        "<function=read>{\"p\": \"a\"" => _,
        "<function=nope>{}</function> x" => _,
        "<function=read>{args}</function> x" => _,
    }
    glm {
        "<tool_call>read\n<arg_key>p</arg_key>\n<arg_value>a</arg_value>\n<arg_key>n</arg_key>\n<arg_value>3</arg_value>\n</tool_call>" => r#"⟦read {"p":"a","n":3}⟧"#,
        "<tool_call>todo</tool_call><tool_call>todo\n</tool_call>" => "⟦todo {}⟧⟦todo {}⟧",
        "Ok <tool_call>todo</tool_call> so" => "Ok ⟦todo {}⟧ so",
        "<tool_call>write<arg_key>c</arg_key><arg_value>{\"a\": \"</tool_call>\"\n}</arg_value></tool_call>" => "⟦write {\"c\":\"{\\\"a\\\": \\\"</tool_call>\\\"\\n}\"}⟧",
        "<tool_call>write<arg_key>c</arg_key><arg_value><arg_value>x</arg_value></arg_value></tool_call>" => r#"⟦write {"c":"<arg_value>x</arg_value>"}⟧"#,
        "<tool_call>read<arg_key>p</arg_key><arg_value>a</arg_value>" => _,
        "<tool_call>read<arg_key>p</arg_key><arg_value>a" => _,
        "<tool_call>nope</tool_call> x" => _,
        "<tool_call>read<arg_key>p</arg_key>a</tool_call> x" => _,
    }
    mistral {
        "[TOOL_CALLS] [{\"name\": \"read\", \"arguments\": {\"p\": \"a\"}, \"id\": \"1\"}]" => r#"⟦read {"p":"a"}⟧"#,
        "[TOOL_CALLS][{\"name\": \"todo\"}, {\"name\": \"read\"}]</s>" => "⟦todo {}⟧⟦read {}⟧",
        "[TOOL_CALLS]read[ARGS]{\"p\": \"a\"}[TOOL_CALLS]todo{}" => r#"⟦read {"p":"a"}⟧⟦todo {}⟧"#,
        "[TOOL_CALLS]read[CALL_ID]abc123[ARGS]{\"p\": \"a\"}" => r#"⟦read {"p":"a"}⟧"#,
        "[THINK]hm[/THINK]So[TOOL_CALLS]todo{} then" => "⟪hm⟫So⟦todo {}⟧ then",
        "[TOOL_CALLS]write{\"c\": \"}[TOOL_CALLS]todo{}\"}" => r#"⟦write {"c":"}[TOOL_CALLS]todo{}"}⟧"#,
        "[TOOL_CALLS] [{\"name\": \"read\", \"arguments\": {" => _,
        "[TOOL_CALLS]read[ARGS]{\"p\": \"a" => _,
        "[TOOL_CALLS]nope{} x" => _,
        "x [TOOL_CALLS] is a mark" => _,
    }
    python_tag {
        "<|python_tag|>{\"name\": \"read\", \"parameters\": {\"p\": \"a\"}}<|eom_id|>" => r#"⟦read {"p":"a"}⟧"#,
        "<|python_tag|>{\"name\": \"todo\"}; {\"name\": \"read\"}" => "⟦todo {}⟧⟦read {}⟧",
        "Ok <|python_tag|>{\"name\": \"todo\"} so" => "Ok ⟦todo {}⟧ so",
        "<|python_tag|>read.call(p=\"a\")" => r#"⟦read {"p":"a"}⟧"#,
        "<|python_tag|>{\"name\": \"write\", \"parameters\": {\"c\": \"}<|eom_id|>{\"}}" => r#"⟦write {"c":"}<|eom_id|>{"}⟧"#,
        "<|python_tag|>{\"name\": \"read\", \"parameters\": {\"p\"" => _,
        "<|python_tag|>{\"name\": \"nope\"}" => _,
        "<|python_tag|>import os\nos.remove(path=1)" => _,
    }
    pythonic {
        "[read(p=\"a\", n=1, l=['x', True, None], d={'k': 1.5})]" => r#"⟦read {"p":"a","n":1,"l":["x",true,null],"d":{"k":1.5}}⟧"#,
        "[todo(), read(p='a')]<|eot|>" => r#"⟦todo {}⟧⟦read {"p":"a"}⟧"#,
        "<|python_start|>[todo()]<|python_end|> so" => "⟦todo {}⟧ so",
        "So <|tool_call_start|>[todo(), todo()]<|tool_call_end|>" => "So ⟦todo {}⟧⟦todo {}⟧",
        "[write(c=\"[todo()] \\\")] {\")]" => "⟦write {\"c\":\"[todo()] \\\")] {\"}⟧",
        "[todo()] is a list" => _,
        "So: [todo()]" => _,
        "[todo()" => _,
        "[read(p=\"a" => _,
        "[nope()]" => _,
        "[read(\"a\")]" => _,
        "[a link](http://x) and [x]" => _,
        "[write(c=\"<tool_call>{\"name\": \"todo\"}</tool_call>\")]" => _,
    }
    deepseek {
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n{\"p\": \"a\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>" => r#"⟦read {"p":"a"}⟧"#,
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>todo<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁call▁begin｜>read<｜tool▁sep｜>{\"p\": 1}<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>" => r#"⟦todo {}⟧⟦read {"p":1}⟧"#,
        "Ok.<｜tool▁call▁begin｜>todo<｜tool▁sep｜>{}<｜tool▁call▁end｜> so" => "Ok.⟦todo {}⟧ so",
        "<｜tool_calls_begin｜><｜tool▁call▁begin｜>write<｜tool▁sep｜>{\"c\": \"<｜tool▁call▁end｜>}\\\"```\"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>" => "⟦write {\"c\":\"<｜tool▁call▁end｜>}\\\"```\"}⟧",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>todo<｜tool▁sep｜>{}<｜tool▁call▁end｜>" => "⟦todo {}⟧",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>todo<｜tool▁sep｜>{" => _,
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>nope<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜> x" => _,
        "<｜tool▁calls▁begin｜> is a mark" => _,
    }
    dsml {
        "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"read\">\n<｜DSML｜parameter name=\"p\" string=\"true\">5</｜DSML｜parameter>\n<｜DSML｜parameter name=\"n\" string=\"false\">5</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>" => r#"⟦read {"p":"5","n":5}⟧"#,
        "<｜DSML｜tool_calls><｜DSML｜invoke name=\"todo\"></｜DSML｜invoke><｜DSML｜invoke name=\"todo\"></｜DSML｜invoke></｜DSML｜tool_calls>" => "⟦todo {}⟧⟦todo {}⟧",
        "Ok <｜DSML｜invoke name=\"todo\"></｜DSML｜invoke> so" => "Ok ⟦todo {}⟧ so",
        "<｜DSML｜invoke name=\"write\"><｜DSML｜parameter name=\"c\" string=\"true\">\n</｜DSML｜invoke>\"{<x>\n</｜DSML｜parameter></｜DSML｜invoke>" => "⟦write {\"c\":\"\\n</｜DSML｜invoke>\\\"{<x>\\n\"}⟧",
        "<｜DSML｜invoke name=\"read\"><｜DSML｜parameter name=\"l\" string=\"false\">[\"a\", {\"b\": 1}]</｜DSML｜parameter></｜DSML｜invoke>" => r#"⟦read {"l":["a",{"b":1}]}⟧"#,
        "<｜DSML｜invoke name=\"read\"><｜DSML｜parameter name=\"n\" string=\"false\">five</｜DSML｜parameter></｜DSML｜invoke> x" => _,
        "<｜DSML｜function_calls><｜DSML｜invoke name=\"read\"><｜DSML｜parameter name=\"p\" string=\"true\">a" => _,
        "<｜DSML｜invoke name=\"nope\"></｜DSML｜invoke> x" => _,
    }
    minimax_and_invoke {
        "<minimax:tool_call>\n<invoke name=\"read\">\n<parameter name=\"p\">a</parameter>\n<parameter name=\"n\">7</parameter>\n</invoke>\n</minimax:tool_call>" => r#"⟦read {"p":"a","n":7}⟧"#,
        "<function_calls><invoke name=\"todo\"></invoke>\n<invoke name='read'></invoke></function_calls>" => "⟦todo {}⟧⟦read {}⟧",
        "Ok <invoke name=\"todo\">\n</invoke> so" => "Ok ⟦todo {}⟧ so",
        "<invoke name=\"write\"><parameter name=\"c\"><invoke name=\"todo\"></invoke> {\"</parameter></invoke>" => "⟦write {\"c\":\"<invoke name=\\\"todo\\\"></invoke> {\\\"\"}⟧",
        "<minimax:tool_call><invoke name=\"todo\"></invoke>" => "⟦todo {}⟧",
        "<minimax:tool_call><invoke name=\"read\"><parameter name=\"p\">a</parameter>" => _,
        "<minimax:tool_call><invoke name=\"read\"><parameter name=\"p\">a" => _,
        "<function_calls><invoke name=\"todo\"></invoke> words </function_calls> x" => _,
        "<function_calls><invoke name=\"todo\"></invoke><invoke name=\"nope\"></invoke></function_calls> x" => _,
        "Use <invoke> or <function_calls> tags" => _,
    }
    kimi {
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{\"p\": \"a\"}<|tool_call_end|><|tool_calls_section_end|>" => r#"⟦read {"p":"a"}⟧"#,
        "<|tool_calls_section_begin|>\n<|tool_call_begin|>functions.todo:0<|tool_call_argument_begin|>{}<|tool_call_end|>\n<|tool_call_begin|>functions.read:1 <|tool_call_argument_begin|> {} <|tool_call_end|>\n<|tool_calls_section_end|>" => "⟦todo {}⟧⟦read {}⟧",
        "Ok <|tool_call_begin|>todo<|tool_call_argument_begin|>{}<|tool_call_end|> so" => "Ok ⟦todo {}⟧ so",
        "<|tool_call_begin|>functions.write:0<|tool_call_argument_begin|>{\"c\": \"<|tool_call_end|>}\\\"\"}<|tool_call_end|>" => "⟦write {\"c\":\"<|tool_call_end|>}\\\"\"}⟧",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.todo:0<|tool_call_argument_begin|>{}<|tool_call_end|>" => "⟦todo {}⟧",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.todo:0<|tool_call_argument_begin|>{" => _,
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.nope:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|> x" => _,
    }
    channels {
        "<|channel|>commentary to=functions.read <|constrain|>json<|message|>{\"p\": \"a\"}<|call|>" => r#"⟦read {"p":"a"}⟧"#,
        "<|channel|>analysis<|message|>I {\"tool_call\": {\"name\": \"todo\"}} think<|end|><|start|>assistant<|channel|>final<|message|>It is so.<|return|>" => "⟪I {\"tool_call\": {\"name\": \"todo\"}} think⟫It is so.",
        "<|channel|>analysis<|message|>hm<|end|><|start|>assistant to=functions.todo<|channel|>commentary json<|message|>{}<|call|>" => "⟪hm⟫⟦todo {}⟧",
        "<|channel|>commentary<|message|>I will look.<|end|><|start|>assistant<|channel|>commentary to=functions.todo<|message|>{}" => "I will look.⟦todo {}⟧",
        "<|channel|>commentary to=functions.write<|message|>{\"c\": \"<|call|>}\\\"\"}<|call|>" => "⟦write {\"c\":\"<|call|>}\\\"\"}⟧",
        "<|channel|>commentary to=functions.todo<|message|>{}<|call|><|start|>assistant<|channel|>commentary to=functions.read<|message|>{}<|call|>" => "⟦todo {}⟧⟦read {}⟧",
        "<|channel|>commentary to=functions.read<|message|>{\"p\": \"a" => _,
        "<|channel|>commentary to=functions.nope<|message|>{}<|call|> x" => _,
        "The <|channel|> and <|start|> marks, <|end|>" => _,
    }
    granite {
        "<|tool_call|>[{\"name\": \"read\", \"arguments\": {\"p\": \"a\"}}]" => r#"⟦read {"p":"a"}⟧"#,
        "<tool_call>[{\"name\": \"todo\"}, {\"name\": \"read\"}]</tool_call>" => "⟦todo {}⟧⟦read {}⟧",
        "<tool_call>[{\"name\": \"todo\"}]" => "⟦todo {}⟧",
        "Ok <|tool_call|> [{\"name\": \"todo\"}]<|end_of_text|>" => "Ok ⟦todo {}⟧",
        "<|tool_call|>[{\"name\": \"write\", \"arguments\": {\"c\": \"]}<|tool_call|>[\\\"\"}}]" => "⟦write {\"c\":\"]}<|tool_call|>[\\\"\"}⟧",
        "<|tool_call|>[{\"name\": \"todo\"}" => _,
        "<|tool_call|>[{\"name\": \"nope\"}] x" => _,
    }
    phi4 {
        "functools[{\"name\": \"read\", \"arguments\": {\"p\": \"a\"}}]" => r#"⟦read {"p":"a"}⟧"#,
        "functools[{\"name\": \"todo\"}, {\"name\": \"read\"}]" => "⟦todo {}⟧⟦read {}⟧",
        "Ok functools[{\"name\": \"todo\"}] so" => "Ok ⟦todo {}⟧ so",
        "functools[{\"name\": \"write\", \"arguments\": {\"c\": \"]}[\\\"\"}}]" => "⟦write {\"c\":\"]}[\\\"\"}⟧",
        "functools[{\"name\": \"todo\"}" => _,
        "functools[{\"name\": \"nope\"}] x" => _,
        "functools and myfunctools[{\"name\": \"todo\"}]" => _,
    }
    gemma {
        "<start_function_call>call:read{p:<escape>a<escape>,n:5,b:true}<end_function_call>" => r#"⟦read {"p":"a","n":5,"b":true}⟧"#,
        "<start_function_call>call:todo{}<end_function_call><start_function_call>call:read{}<end_function_call>" => "⟦todo {}⟧⟦read {}⟧",
        "Ok <start_function_call>call:todo{}<end_function_call> so" => "Ok ⟦todo {}⟧ so",
        "<start_function_call>call:write{c:<escape>},{\"<end_function_call><escape>,l:[<escape>a<escape>,{k:1}]}<end_function_call>" => "⟦write {\"c\":\"},{\\\"<end_function_call>\",\"l\":[\"a\",{\"k\":1}]}⟧",
        "<|tool_call>call:read{p:<|\"|>a<|\"|>}<tool_call|>" => r#"⟦read {"p":"a"}⟧"#,
        "<start_function_call>call:todo{}" => "⟦todo {}⟧",
        "<start_function_call>call:read{p:<escape>a<escape>" => _,
        "<start_function_call>call:read{p:<escape>a" => _,
        "<start_function_call>call:nope{}<end_function_call> x" => _,
        "<start_function_call>call:read{p:a b}<end_function_call> x" => _,
    }
    other_tags {
        "<function_call>{\"name\": \"read\", \"arguments\": {\"p\": \"a\"}}</function_call>" => r#"⟦read {"p":"a"}⟧"#,
        "<TOOLCALL>[{\"name\": \"todo\"}, {\"name\": \"read\"}]</TOOLCALL>" => "⟦todo {}⟧⟦read {}⟧",
        "Ok <function_call>{\"name\": \"todo\"}</function_call> so" => "Ok ⟦todo {}⟧ so",
        "<TOOLCALL>[{\"name\": \"write\", \"arguments\": {\"c\": \"</TOOLCALL>]\\\"\"}}]</TOOLCALL>" => "⟦write {\"c\":\"</TOOLCALL>]\\\"\"}⟧",
        "<TOOLCALL>[{\"name\": \"todo\"}" => _,
        "<function_call>{\"name\": \"nope\"}</function_call> x" => _,
    }
}
