/**
 * What the user refers to in a message with `@`: a token in the text of the draft, and what it stands for. The page keeps the reference alone; the host reads
 * what it refers to when the message is sent, so that what goes is how it is then.
 */
import type { ContentBlock } from '../model/content';
import { type Infer, integer, literal, object, optional, type Schema, string, variant } from '../model/schema';

/** A path of 4096 bytes, each as %XX. */
const MAX_ADDRESS = 16_384;
const MAX_NAME = 500;
const MAX_ID = 1024;

const address = string({ min: 1, max: MAX_ADDRESS });
const id = string({ min: 1, max: MAX_ID });
const name = string({ min: 1, max: MAX_NAME });
/** 1-based, both included; without them the whole file. */
const lines = { line: optional(integer()), endLine: optional(integer()) };

/** A cell of a notebook, which may have been moved since. */
const cell = object({
  /** Counted from 1, as the user sees it. */
  number: integer(),
  /** The cell's own id in the notebook's file. */
  id: optional(id),
  /** The address of the cell's text in the window. */
  document: optional(address),
});
export type CellReference = Infer<typeof cell>;

/** What can be mentioned besides content that is known already. Addresses are URIs. */
const REFERENCES = {
  /** `cell`: of a notebook, whose lines count from the cell's first. */
  file: object({ uri: address, ...lines, cell: optional(cell) }),
  folder: object({ uri: address }),
  symbol: object({ uri: address, ...lines, symbol: name }),
  /** Of this file, or of all files of the window. */
  problems: object({ uri: optional(address) }),
  /** What is not committed in the repository that this folder or file is in; `uri` is where it is looked for. */
  changes: object({ uri: address }),
  commit: object({ uri: address, hash: id }),
  /** Another conversation. */
  session: object({ sessionKey: id }),
  url: object({ uri: address }),
} as const;

type ReferenceSchema = ReturnType<typeof variant<'kind', typeof REFERENCES>>;
export type Reference = Infer<ReferenceSchema>;

/** Content that goes as it is: a pasted text, the output of a command, what a message held that came back. */
export interface ContentReference {
  readonly kind: 'content';
  readonly block: ContentBlock;
}

export interface Mention {
  readonly type: 'mention';
  /** What stands for it in the text of the draft. No two of a draft have the same. */
  readonly token: string;
  /** The token where another mention has the first one already. */
  readonly longToken?: string;
  /** On its chip, in one line. */
  readonly name: string;
  /** What will go, for whoever looks closer. */
  readonly about?: string;
  readonly ref: Reference | ContentReference;
}

/** What a draft, and a message on its way to the host, is made of. */
export type DraftBlock = ContentBlock | Mention;

export function isMention(block: DraftBlock): block is Mention {
  return block.type === 'mention';
}

/** @param block what a prompt may carry */
export function mentionSchema(block: Schema<ContentBlock>): Schema<Mention> {
  return object({
    type: literal('mention'),
    token: name,
    longToken: optional(name),
    name,
    about: optional(string({ max: MAX_ADDRESS })),
    ref: variant('kind', { ...REFERENCES, content: object({ block }) }),
  });
}

/** Of `content` what is known without reading anything: of mentions those that are content already. */
export function knownContent(content: readonly DraftBlock[]): ContentBlock[] {
  return content.flatMap((block) => (!isMention(block) ? block : block.ref.kind === 'content' ? block.ref.block : []));
}
