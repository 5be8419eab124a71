/** Diagrams of several kinds, one of them broken. */
import type { EventInput } from '../../src/core/model/event';

const FLOW = `flowchart LR
  accTitle: How a release is made
  accDescr: From a merged change through the tests to a release, or back to its author.
  A([Merged]) --> B{Tests pass?}
  B -->|yes| C[Package]
  B -->|no| D[Back to the author]
  subgraph release [Release]
    C --> E[(Registry)]
    C -.-> F>Notes]
  end
  D --> A`;

const SEQUENCE = `sequenceDiagram
  autonumber
  actor User
  participant Editor
  participant Agent
  User->>Editor: Make greet() polite
  Editor->>+Agent: session/prompt
  loop until it is done
    Agent->>Editor: tool call
    Editor-->>Agent: result
  end
  Note over Editor,Agent: A permission is asked for first
  Agent-->>-Editor: end_turn`;

const OTHERS = `pie showData
  title Lines by language
  "TypeScript" : 386
  "Python" : 85
  "CSS" : 40
  "Shell" : 12`;

const BROKEN = `flowchart TD
  A[Start] --> B{Done?
  B --> --> C[End]`;

const fenced = (code: string) => '```mermaid\n' + code + '\n```\n';

export function diagrams(): EventInput[] {
  const text = `The release, drawn:\n\n${fenced(FLOW)}\nAnd what happens on the wire:\n\n${fenced(SEQUENCE)}\n${fenced(OTHERS)}\nThis one does not parse:\n\n${fenced(BROKEN)}`;
  return [
    { type: 'turn_started', turnId: 'diagrams' },
    { type: 'message', role: 'user', messageId: 'diagrams-asked', content: [{ type: 'text', text: 'Draw it.' }] },
    { type: 'message', role: 'agent', messageId: 'diagrams', content: [{ type: 'text', text }] },
    { type: 'turn_ended', turnId: 'diagrams', stopReason: 'end_turn' },
  ];
}
