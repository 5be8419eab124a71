/** The agents that run, as a table. On a narrow page each row becomes a card. */
import type { RunningState } from '../../src/core/agents/agentsPage';
import { t } from '../base/l10n';
import { Actions, Logo, usePost } from './parts';

export function Running({ state: { agents, total } }: { state: RunningState }) {
  const post = usePost();
  return (
    <main class="agents">
      <h1 class="agents-title">{t('Running Agents')}</h1>
      <div class="agents-count dim">{agents.length === 0 ? t('No agent is running.') : total}</div>
      {agents.length > 0 && (
        // Roles are set, because a table whose cells are laid out as blocks loses them.
        <table class="agents-table" role="table">
          <thead role="rowgroup">
            <tr role="row">
              {[t('Agent'), t('Sessions'), t('Memory'), t('Running for'), t('Actions')].map((title) => (
                <th key={title} role="columnheader" scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {agents.map((agent) => (
              <tr key={agent.key} role="row">
                <td role="cell">
                  <div class="agents-who">
                    <Logo icon={agent.icon} />
                    <div>
                      <button
                        type="button"
                        class="agent-link agent-name"
                        onClick={() => post({ type: 'act', key: agent.key, action: 'show_running' })}
                      >
                        {agent.name}
                      </button>
                      <div class="dim">{[agent.status, agent.folder].filter(Boolean).join(' · ')}</div>
                    </div>
                  </div>
                </td>
                <td role="cell" data-label={t('Sessions')}>
                  {agent.sessions.length === 0 ? (
                    <span class="dim">{t('None')}</span>
                  ) : (
                    <ul class="agent-links">
                      {agent.sessions.map(({ key, title }) => (
                        <li key={key}>
                          <button type="button" class="agent-link" onClick={() => post({ type: 'show_session', key })}>
                            {title}
                          </button>
                        </li>
                      ))}
                    </ul>
                  )}
                </td>
                <td role="cell" data-label={t('Memory')}>
                  {agent.memory}
                </td>
                <td role="cell" data-label={t('Running for')}>
                  {agent.uptime}
                </td>
                <td role="cell">
                  <div class="agent-actions">
                    <Actions of={agent.key} name={agent.name} actions={agent.actions} />
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </main>
  );
}
