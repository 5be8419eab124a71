/** The questions of a session at one client that may answer. The first answer counts, wherever it is given; the question is withdrawn elsewhere. */
import type { AgentContext } from '@agentclientprotocol/sdk';
import { elicitationContent } from '../core/elicitation/answer';
import { entryIdOf, isAbsent, type ElicitationEntry, type PermissionEntry, type Slot } from '../core/model/state';
import { windowTitle } from '../core/share/share';
import { elicitationParams, permissionParams } from './wire/requests';
import { isRecord, type Wire } from './wire/wireContent';
import type { AnswerNotes } from './answerNotes';
import type { SharedSession } from './sharedSession';

/** The number of times that a form with wrong values is shown to a client again. */
const MAX_TRIES = 3;

/** The elicitations that the client can show. */
export interface ClientForms {
  readonly form: boolean;
  readonly url: boolean;
}

export class ClientQuestions {
  /** The requests that wait for this client, by the id of the question's entry. */
  private readonly open = new Map<string, AbortController>();
  /** Questions that this client has dismissed, or cannot show. They wait for the others. */
  private readonly done = new Set<string>();
  /** The requests that are withdrawn next. */
  private readonly ending = new Set<AbortController>();

  constructor(
    private readonly session: SharedSession,
    private readonly client: AgentContext,
    private readonly forms: ClientForms,
    /** The name of the client, for the conversation. */
    private readonly name: () => string,
    private readonly notes: AnswerNotes,
  ) {}

  /** Withdraws the questions that have ended. */
  withdrawEnded(): void {
    const waiting = new Set(this.waiting());
    for (const [id, controller] of this.open) {
      if (!waiting.has(id)) {
        this.open.delete(id);
        this.ending.add(controller);
        // The name of the client that has answered follows the answer.
        setImmediate(() => this.withdraw(id, controller));
      }
    }
    for (const id of this.done) {
      if (!waiting.has(id)) {
        this.done.delete(id);
      }
    }
  }

  /** Asks the questions that wait. */
  ask(): void {
    const { entries } = this.session.state;
    for (const id of this.waiting()) {
      const entry = this.open.has(id) || this.done.has(id) ? undefined : entries.get(id);
      if (!entry || isAbsent(entry)) {
        continue;
      }
      if (entry.kind === 'permission') {
        this.start(id, (signal) => this.permission(entry, signal));
      } else if (entry.kind === 'elicitation' && this.forms[entry.body.mode]) {
        this.start(id, (signal) => this.elicitation(entry, signal));
      }
    }
  }

  /** Reports to the client that the user has finished a web page. */
  completed(requestKey: string): void {
    const entry = this.session.state.entries.get(entryIdOf.elicitation(requestKey));
    if (entry?.kind === 'elicitation' && !isAbsent(entry) && entry.body.mode === 'url' && this.forms.url) {
      void this.client.notify('elicitation/complete', { elicitationId: entry.body.elicitationId }).catch(() => undefined);
    }
  }

  dispose(): void {
    [...this.open.values(), ...this.ending].forEach((controller) => controller.abort());
    this.open.clear();
    this.ending.clear();
  }

  private withdraw(id: string, controller: AbortController): void {
    if (this.ending.delete(controller)) {
      const client = this.answeredBy(id);
      if (client !== undefined) {
        this.notes.answered(id, client);
      }
      controller.abort();
    }
  }

  /** The name of the client or window that has answered the question. Undefined when no one did. */
  private answeredBy(id: string): string | undefined {
    const entry = this.session.state.entries.get(id);
    if (!entry || isAbsent(entry) || (entry.kind !== 'permission' && entry.kind !== 'elicitation')) {
      return undefined;
    }
    const type = entry.outcome?.type;
    return type === 'selected' || type === 'accepted' || type === 'declined'
      ? (entry.from ?? windowTitle(this.session.state.cwd))
      : undefined;
  }

  private waiting(): string[] {
    const { pendingPermissions, pendingElicitations } = this.session.state;
    return [...pendingPermissions.map(entryIdOf.permission), ...pendingElicitations.map(entryIdOf.elicitation)];
  }

  private start(id: string, request: (signal: AbortSignal) => Promise<unknown>): void {
    const controller = new AbortController();
    this.open.set(id, controller);
    request(controller.signal)
      // The client cannot show the question, or has left. The others can still answer.
      .catch(() => undefined)
      .then(() => {
        this.notes.forget(id);
        if (this.open.delete(id)) {
          this.done.add(id);
        }
      })
      .catch(() => undefined);
  }

  private async permission(entry: PermissionEntry, signal: AbortSignal): Promise<void> {
    const { session } = this;
    const params = permissionParams(session.key, entry, session.state, (id) => session.outputOf(id));
    const result = await this.request('session/request_permission', params, entry, signal);
    const outcome = isRecord(result) ? result['outcome'] : undefined;
    if (isRecord(outcome) && outcome['outcome'] === 'selected' && typeof outcome['optionId'] === 'string' && !signal.aborted) {
      session.answerPermission(entry.permissionId, outcome['optionId'], this.name());
    }
  }

  private async elicitation(entry: ElicitationEntry, signal: AbortSignal): Promise<void> {
    const { session } = this;
    for (let tries = 0; tries < MAX_TRIES && !signal.aborted; tries++) {
      const result = await this.request('elicitation/create', elicitationParams(session.key, entry), entry, signal);
      const { action, content } = isRecord(result) ? result : {};
      if (signal.aborted || (action !== 'accept' && action !== 'decline')) {
        return; // A dismissal says nothing about the other clients.
      }
      const given = content === undefined || content === null ? {} : content;
      const values = elicitationContent.validate(given) ? elicitationContent.parse(given) : undefined;
      if (values && (await session.answerElicitation(entry.requestKey, action, values, this.name()))) {
        return;
      }
    }
  }

  private request(method: string, params: Wire, { entryId }: Slot, cancellationSignal: AbortSignal): Promise<unknown> {
    this.notes.add(params, entryId);
    return this.client.request(method, params, { cancellationSignal, stopWaitingOnCancel: true });
  }
}
