//! Whole conversations, as clients hold them.

use super::*;

#[test]
fn a_whole_conversation_in_2025_11_25() {
    play(
        r#"
        > {$2,"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true},"elicitation":{"form":{}}},"clientInfo":{"name":"pinecone-desk","title":"Pinecone Desk","version":"4.2.0"}}}
        < {$2,"id":0,"result":{"protocolVersion":"2025-11-25",…
        > {$2,"method":"notifications/initialized"}
        > {"method":"tools/list","jsonrpc":"2.0","id":1}
        ! admitted
        s< …
        s> catalog 2 1
        < {$2,"id":1,"result":{"tools":[…
        > {"method":"resources/list","jsonrpc":"2.0","id":2}
        < {$2,"id":2,"error":{"code":-32601,…
        > {$2,"id":3,"method":"tools/call","params":{"name":"make","arguments":{},"_meta":{"progressToken":"open-77"},"task":{"ttl":1}}}
        s< {"open_workspace":…
        s> opened 4 $WS
        s< {"start":…
        s> started 3 1
        s> progress 1 1
        < …"progressToken":"open-77","progress":1…
        s> completed 1 made
        < {$2,"id":3,"result":{"content":[…
        > {$2,"id":5,"method":"tools/call","params":{"name":"use","arguments":{}}}
        s< …
        s> started 5 2
        > {$2,"method":"notifications/cancelled","params":{"requestId":5,"reason":"user pressed stop"}}
        s< {"cancel":{"work":2}}
        > {$2,"id":"p-1","method":"ping"}
        < {$2,"id":"p-1","result":{}}
        ! end of input
        s< {"release_workspace":…
        exit
        "#,
    );
}

#[test]
fn a_whole_conversation_in_2026_07_28() {
    play(
        r#"
        > {$2,"id":"listen:0","method":"subscriptions/listen","params":{$META,"notifications":{"toolsListChanged":true}}}
        < …acknowledged…
        > {$2,"id":10,"method":"tools/list","params":{"_meta":{$ENVELOPE,"io.modelcontextprotocol/clientInfo":{"name":"lantern","version":"11.0.2"}}}}
        ! admitted
        s< …
        s> catalog 3 1
        < {$2,"id":10,"result":{$COMPLETE,"tools":…
        > {$2,"id":11,"method":"tools/call","params":{"_meta":{$ENVELOPE,"progressToken":8,"traceparent":"00-3d6f1e0a9b7c4d52a1e08f6b2c93d710-51f2a7c09e3b6d84-01"},"name":"make","arguments":{}}}
        s< …
        s> started 4 1
        s> progress 1 0.5
        < {$2,"method":"notifications/progress","params":{"progressToken":8,"progress":0.5,"total":3,"message":"step"}}
        s> {"completed":{"work":1,"workspace":"$WS","outcome":{"disposition":"success","content":[{"text":"t"}],"structured":{"tabId":3}}}}
        < {$2,"id":11,"result":{$COMPLETE,…"structuredContent":{"tabId":3,"workspaceId":"$WS"},…
        > {$2,"id":12,"method":"tools/call","params":{$META,"name":"use","arguments":{"workspaceId":"$WS"}}}
        s< …
        > {$2,"method":"notifications/cancelled","params":{"requestId":12}}
        s> started 5 2
        s< {"cancel":{"work":2}}
        s> completed 2 late
        ! stop
        < {$2,"id":"listen:0","result":…
        < {$2,"method":"notifications/cancelled",…
        exit
        "#,
    );
}
