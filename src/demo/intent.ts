/** Recognizes the intent of a prompt by keywords. Pure. */
import type { ContentBlock } from '@agentclientprotocol/sdk';

export type Topic = 'tour' | 'read' | 'edit' | 'run' | 'plan' | 'form' | 'help' | 'greeting' | 'other';

export interface Intent {
  readonly topic: Topic;
  /** The user's own words, without attachments. */
  readonly text: string;
  /** A path as the user wrote it, or a file URI from an attachment. */
  readonly target?: string;
  /** The text in quotes or backticks: a comment, or a command. */
  readonly quoted?: string;
  /** For `run`: the command line. */
  readonly command?: string;
  /** The attachments that a script cannot read, for display: "an image (image/png)". */
  readonly unseen: readonly string[];
}

const TOPICS: readonly (readonly [Topic, RegExp])[] = [
  ['tour', /\b(tour|demo|show (me )?(everything|around|what you can do)|what can you do in practice)\b/i],
  ['form', /\b((show|ask|give) me (a|the|some) (forms?|questions?)|forms?|ask me|elicit\w*)\b/i],
  ['run', /\b(run|execute|terminal|shell)\b/i],
  ['edit', /\b(edit|fix|bug|change|add|write|comment|document|refactor|improve|insert)\b/i],
  ['read', /\b(read|explain|open|look at|summari[sz]e|describe|what(?:'s| is) in|review|show)\b/i],
  ['plan', /\bplan\b/i],
  ['help', /\b(help|what can you do|who are you|what are you|commands?)\b|^\s*\?+\s*$/i],
  ['greeting', /^\s*(hi|hello|hey|good (morning|afternoon|evening)|thanks?( you)?)\b/i],
];

/** Reads the blocks of a prompt. A slash command takes precedence over keywords. */
export function intentOf(prompt: readonly ContentBlock[]): Intent {
  const text = prompt
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .trim();
  const slash = /^\/(tour|read|edit|run|plan|form|help)\b\s*/i.exec(text);
  const rest = slash ? text.slice(slash[0].length) : text;
  const topic = slash ? (slash[1]!.toLowerCase() as Topic) : topicOf(text);
  const quoted = /`([^`\n]+)`|"([^"\n]+)"|“([^”\n]+)”/.exec(rest);
  const inQuotes = quoted?.[1] ?? quoted?.[2] ?? quoted?.[3];
  const target = attachedFile(prompt) ?? pathIn(rest, topic);
  const command = topic === 'run' ? commandIn(rest, slash !== null, inQuotes) : undefined;
  return {
    topic,
    text,
    unseen: prompt.flatMap(unseenOf),
    ...(target !== undefined && { target }),
    ...(inQuotes !== undefined && { quoted: inQuotes }),
    ...(command !== undefined && { command }),
  };
}

function topicOf(text: string): Topic {
  // The earliest word decides: "explain how to fix it" asks for an explanation.
  let best: { topic: Topic; index: number } | undefined;
  for (const [topic, pattern] of TOPICS) {
    const index = text.search(pattern);
    if (index >= 0 && (!best || index < best.index)) {
      best = { topic, index };
    }
  }
  return best?.topic ?? 'other';
}

function attachedFile(prompt: readonly ContentBlock[]): string | undefined {
  for (const block of prompt) {
    const uri = block.type === 'resource_link' ? block.uri : block.type === 'resource' ? block.resource.uri : undefined;
    if (uri?.startsWith('file:')) {
      return uri;
    }
  }
  return undefined;
}

/** Returns a word with a slash or in the form of a file name. In `/run` all words belong to the command. */
function pathIn(text: string, topic: Topic): string | undefined {
  if (topic === 'run') {
    return undefined;
  }
  const word =
    /(?:^|[\s"'`(@])((?:[A-Za-z]:)?[\w.~+@-]*(?:[\\/][\w.~+@-]+)+|[\w+-][\w.+-]*\.[A-Za-z][A-Za-z0-9]{0,9})(?=$|[\s"'`),;:!?]|\.(?:\s|$))/.exec(
      text,
    );
  return word?.[1];
}

function commandIn(text: string, slash: boolean, quoted: string | undefined): string | undefined {
  if (slash) {
    return text.trim() || undefined;
  }
  if (quoted !== undefined) {
    return quoted;
  }
  const after = /\b(?:run|execute)\s+(?:the\s+)?(?:command\s+)?(.+)$/im.exec(text)?.[1]?.trim();
  // "run a command" and "run something in the terminal" name no command.
  return after && !/^(?:a|an|some\w*|any\w*|it|this|in)\b/i.test(after)
    ? after.replace(/\s+in (?:a|the) (?:terminal|shell)\.?$/i, '')
    : undefined;
}

function unseenOf(block: ContentBlock): string[] {
  if (block.type === 'image') {
    return [`an image (${block.mimeType})`];
  }
  if (block.type === 'audio') {
    return [`a sound (${block.mimeType})`];
  }
  return [];
}
