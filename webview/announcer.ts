/**
 * What screen readers hear, besides what they read: finished sentences of the answer, requests that wait for the user, and changes of
 * status. Never single tokens, and nothing of what was there when the page opened.
 */
import type { Slot } from '../src/core/state';
import { type SessionState, entryIdOf, isAbsent } from '../src/core/state';
import { failureWords } from './failures';
import { t } from './l10n';
import { isForAgent } from './transcript/audience';
import { stopReasonWords } from './words';

/** UTF-16 units; nobody wants more than this read out at once, and looking for sentences must stay cheap. */
const MAX_SPOKEN = 10_000;

/** Entries; when more come in one frame, the rest is better read than heard. */
const MOST_AT_ONCE = 10;

interface Heard {
  readonly status: SessionState['status'];
  readonly turnId: string | undefined;
  readonly cancelling: boolean;
  readonly permissions: ReadonlySet<string>;
  readonly elicitations: ReadonlySet<string>;
  readonly signIn: SessionState['signIn'];
  readonly length: number;
}

export class Announcer {
  private heard: Heard | undefined;
  /** The message being spoken, and how far. */
  private speaking: { entryId: string; to: number } | undefined;

  constructor(private readonly say: (words: string) => void) {}

  /** Told of each new state; the first one is history. */
  hear(state: SessionState): void {
    const before = this.heard;
    this.heard = {
      status: state.status,
      turnId: state.turn?.turnId,
      cancelling: state.turn?.cancelling ?? false,
      permissions: new Set(state.pendingPermissions),
      elicitations: new Set(state.pendingElicitations),
      signIn: state.signIn,
      length: state.entries.length,
    };
    if (!before) return this.startAtEnd(state);
    // What comes before the session is there was said at another time: it is being told again.
    if (before.status === 'starting') this.startAtEnd(state);
    else this.speakMessages(state, before.length);
    this.speakStatus(state, before);
    if (state.signIn?.status !== before.signIn?.status) this.speakSignIn(state);
    for (const permissionId of state.pendingPermissions) {
      if (before.permissions.has(permissionId)) continue;
      const slot = state.entries.get(entryIdOf.permission(permissionId));
      const title = slot && !isAbsent(slot) && slot.kind === 'permission' ? slot.title : '';
      this.say(t('{agent} asks for permission: {title}', { agent: state.agentName, title }));
    }
    for (const requestKey of state.pendingElicitations) {
      if (before.elicitations.has(requestKey)) continue;
      const slot = state.entries.get(entryIdOf.elicitation(requestKey));
      const message = slot && !isAbsent(slot) && slot.kind === 'elicitation' ? slot.message.slice(0, MAX_SPOKEN) : '';
      this.say(t('{agent} asks you: {message}', { agent: state.agentName, message }));
    }
  }

  private startAtEnd(state: SessionState): void {
    const last = state.entries.at(state.entries.length - 1);
    if (last && isAgentText(last)) this.speaking = { entryId: last.entryId, to: textOf(last).length };
  }

  private speakStatus(state: SessionState, before: Heard): void {
    if (state.status !== before.status) {
      if (state.status === 'ready') this.say(t('{agent} is ready', { agent: state.agentName }));
      else if (state.failure) this.say(failureWords(state.failure));
    }
    const turnId = state.turn?.turnId;
    if (turnId !== undefined && turnId !== before.turnId) this.say(t('{agent} is working', { agent: state.agentName }));
    if (state.turn?.cancelling && !before.cancelling) this.say(t('Stopping'));
    if (turnId === undefined && before.turnId !== undefined) {
      const slot = state.entries.get(entryIdOf.turn(before.turnId));
      const stopReason = slot && !isAbsent(slot) && slot.kind === 'turn' ? slot.stopReason : 'end_turn';
      this.say(stopReasonWords(stopReason) || t('{agent} is done', { agent: state.agentName }));
    }
  }

  private speakSignIn({ signIn, agentName }: SessionState): void {
    switch (signIn?.status) {
      case 'required':
        return this.say(t('{agent} wants you to sign in first.', { agent: agentName }));
      case 'running':
        return this.say(t('Waiting for the sign-in…'));
      case 'failed':
        return this.say(t('The sign-in failed. {reason}', { reason: signIn.failure ? failureWords(signIn.failure) : '' }));
      case 'signed_in':
        return this.say(t('Signed in'));
      case 'signed_out':
        return this.say(t('Signed out'));
    }
  }

  private speakMessages(state: SessionState, lengthBefore: number): void {
    if (this.speaking) {
      const slot = state.entries.get(this.speaking.entryId);
      const isLast = slot?.entryId === state.entries.at(state.entries.length - 1)?.entryId;
      if (slot && isAgentText(slot)) this.speak(slot, !isLast || !state.turn);
    }
    for (let index = Math.max(lengthBefore, state.entries.length - MOST_AT_ONCE); index < state.entries.length; index++) {
      const slot = state.entries.at(index)!;
      if (!isAgentText(slot)) continue;
      this.speaking = { entryId: slot.entryId, to: 0 };
      this.speak(slot, index < state.entries.length - 1 || !state.turn);
    }
  }

  private speak(slot: Slot, finished: boolean): void {
    const text = textOf(slot);
    const rest = text.slice(this.speaking!.to);
    if (rest.length > MAX_SPOKEN) {
      this.speaking!.to = text.length;
      return this.say(t('A long answer is in the conversation.'));
    }
    const end = finished ? rest.length : sentencesEnd(rest);
    if (end <= 0) return;
    this.speaking!.to += end;
    const words = plainWords(rest.slice(0, end));
    if (words) this.say(words);
  }
}

/** Where the last finished sentence or paragraph in `text` ends; 0 when none does. An open code fence is one unfinished sentence. */
export function sentencesEnd(text: string): number {
  const fences = [...text.matchAll(/^ {0,3}(?:```|~~~)/gm)].map((match) => match.index);
  let end = 0;
  let passed = 0;
  for (const match of text.matchAll(/[.!?…。！？]["'”’)\]*_]*(?=\s)|\n\s*\n|^ {0,3}(?:```|~~~)[^\S\n]*\n/gm)) {
    const candidate = match.index + match[0].length;
    while (passed < fences.length && fences[passed]! < candidate) passed++;
    if (passed % 2 === 0) end = candidate;
  }
  return end;
}

/** Markdown as it would be read out: without its signs, code blocks only named. */
export function plainWords(markdown: string): string {
  return markdown
    .replace(/^ {0,3}(```|~~~)[\s\S]*?(?:^ {0,3}\1[^\S\n]*$|$(?![\s\S]))/gm, ` ${t('Code block.')} `)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s{0,3}(#{1,6}|>|[-*+]|\d+[.)])\s+/gm, '')
    .replace(/[*_`~|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function isAgentText(slot: Slot): boolean {
  return !isAbsent(slot) && slot.kind === 'message' && slot.role === 'agent';
}

function textOf(slot: Slot): string {
  if (isAbsent(slot) || slot.kind !== 'message') return '';
  return slot.content.map((block) => (block.type === 'text' && !isForAgent(block) ? block.text : '')).join('\n');
}
