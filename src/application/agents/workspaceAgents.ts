/**
 * The agents in the settings of a workspace. Each is offered only after the user has agreed to its exact text, and again after a change. The
 * answers are stored per workspace, outside of it.
 */
import { isProcess } from '../../core/agents/endpoint';
import { createHash } from 'node:crypto';
import { parseAgents } from '../../agent/parseAgents';
import type { WorkspaceLaunches } from '../../agent/catalog';
import { workspaceAgentId } from '../../core/agents/agentIds';
import type { ProcessLaunch } from '../../core/model/agentLaunch';
import { canonical, isPlainObject, type Plain, plainOf } from '../../mcp/config/plainJson';
import { displayCommand } from '../../util/commandLine';
import { type Consent, type ConsentStorage, Consents, type ConsentSubject } from '../mcp/consents';
import { type InertText, inertLine, joined } from '../shared/escape';
import { settings } from '../shared/ids';
import type { Translate } from '../shared/translate';

/** A settings file of the workspace with agents. */
export interface WorkspaceSetting {
  /** The absolute path of the folder, or of the workspace file. */
  readonly place: string;
  /** The value of `acpHost.agents`, unchecked. */
  readonly value: unknown;
}

export interface WorkspaceAgent {
  readonly place: string;
  readonly launch: ProcessLaunch;
  readonly subject: ConsentSubject;
  readonly consent: Consent;
}

export interface WorkspaceAgentsDependencies {
  /** VS Code's storage of the workspace, which is not in the workspace. */
  readonly storage: ConsentStorage;
  settings(): readonly WorkspaceSetting[];
  /** True in Restricted Mode, in which no agent is offered or asked about. */
  isRestricted(): boolean;
}

/** The name under which the answers are stored. */
const CONSENTS = 'agentConsents';
/** UTF-16 units of a text that one question can show in full, and the most agents of a workspace. */
const MAX_TEXT = 4000;
const MAX_AGENTS = 50;

export class WorkspaceAgents {
  private readonly consents: Consents;

  constructor(private readonly deps: WorkspaceAgentsDependencies) {
    this.consents = new Consents(deps.storage, CONSENTS);
  }

  /** The valid agents with the user's answers. Those that the user refused are included. */
  list(): readonly WorkspaceAgent[] {
    return this.deps.isRestricted()
      ? []
      : this.deps
          .settings()
          .flatMap((setting) => this.agentsOf(setting))
          .slice(0, MAX_AGENTS);
  }

  launches(): WorkspaceLaunches {
    const all = this.list();
    return {
      agreed: all.flatMap(({ consent, launch }) => (consent.type === 'agreed' ? [launch] : [])),
      waiting: all.filter(({ consent }) => consent.type === 'new' || consent.type === 'changed').length,
    };
  }

  /** Records the answers to exactly these texts. */
  record(answers: Parameters<Consents['record']>[0]): Promise<void> {
    return this.consents.record(answers);
  }

  private agentsOf({ place, value }: WorkspaceSetting): readonly WorkspaceAgent[] {
    let plain: Plain;
    try {
      plain = plainOf(value);
    } catch {
      return []; // The value is too deep or too large to be shown.
    }
    const scope = createHash('sha256').update(place).digest('hex').slice(0, 8);
    const entries = isPlainObject(plain) ? plain : {};
    return parseAgents(entries, settings.agents).agents.flatMap((launch): WorkspaceAgent[] => {
      const raw = entries[launch.agentId] ?? null;
      const text = canonical(raw);
      const subject = { sourceId: place, name: launch.agentId, text, raw };
      // The question shows a command line. An agent at an address belongs into the user's own settings.
      return text.length > MAX_TEXT || !isProcess(launch)
        ? []
        : [{ place, launch: { ...launch, agentId: workspaceAgentId(scope, launch.agentId) }, subject, consent: this.consents.of(subject) }];
    });
  }
}

/** The whole text of an agent for the question: the command line, then its other members with their values. Nothing is cut. */
export function workspaceAgentText({ place, launch, subject, consent }: WorkspaceAgent, t: Translate): InertText {
  const members = isPlainObject(subject.raw) ? subject.raw : {};
  const changed = consent.type === 'changed' ? consent.members : [];
  return joined(
    [
      t('{name} in {file}', { name: subject.name, file: place }),
      inertLine(displayCommand(launch.command, launch.args)),
      ...Object.entries(members)
        .filter(([member]) => member !== 'command' && member !== 'args')
        .map(([member, value]) => inertLine(`${member}: ${canonical(value)}`)),
      ...(changed.length > 0 ? [t('Changed since you allowed it: {members}', { members: changed.join(', ') })] : []),
    ],
    '\n',
  );
}
