/**
 * The user's `@` mentions in a message: a token in the text of the draft, and its reference. The page keeps only the reference. The host reads the
 * content when the message is sent, so that it is current.
 */
import type { ContentBlock } from '../model/content';
import { type Infer, integer, literal, object, optional, type Schema, string, variant } from '../schema/schema';

/** The length of a path of 4096 bytes, each written as %XX. */
const MAX_ADDRESS = 16_384;
const MAX_NAME = 500;
const MAX_ID = 1024;

const address = string({ min: 1, max: MAX_ADDRESS });
const id = string({ min: 1, max: MAX_ID });
const name = string({ min: 1, max: MAX_NAME });
/** Line numbers from 1, both included. Without them the whole file is mentioned. */
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

/** References that can be mentioned besides content that is known already. Addresses are URIs. */
const REFERENCES = {
  /** `cell`: a notebook's cell. The lines then count from its first one. */
  file: object({ uri: address, ...lines, cell: optional(cell) }),
  folder: object({ uri: address }),
  symbol: object({ uri: address, ...lines, symbol: name }),
  /** The problems of this file, or of all files of the window. */
  problems: object({ uri: optional(address) }),
  /** The uncommitted changes of the repository that contains the folder or file at `uri`. */
  changes: object({ uri: address }),
  commit: object({ uri: address, hash: id }),
  /** Another conversation. */
  session: object({ sessionKey: id }),
  url: object({ uri: address }),
} as const;

type ReferenceSchema = ReturnType<typeof variant<'kind', typeof REFERENCES>>;
export type Reference = Infer<ReferenceSchema>;

/** Content that is sent as it is: a pasted text, the output of a command, or content of an earlier message. */
export interface ContentReference {
  readonly kind: 'content';
  readonly block: ContentBlock;
}

export interface Mention {
  readonly type: 'mention';
  /** The token in the text of the draft. It is unique in a draft. */
  readonly token: string;
  /** The token to use when another mention already has the first one. */
  readonly longToken?: string;
  /** The label of its chip, on one line. */
  readonly name: string;
  /** A description of the content that will be sent, for the tooltip. */
  readonly about?: string;
  readonly ref: Reference | ContentReference;
}

/** A block of a draft, and of a message on its way to the host. */
export type DraftBlock = ContentBlock | Mention;

export function isMention(block: DraftBlock): block is Mention {
  return block.type === 'mention';
}

/** @param block the content that a prompt may carry */
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

/** Returns the blocks that are known without reading anything. Mentions count when they are content already. */
export function knownContent(content: readonly DraftBlock[]): ContentBlock[] {
  return content.flatMap((block) => (!isMention(block) ? block : block.ref.kind === 'content' ? block.ref.block : []));
}
