import type { Endpoint } from '../agents/endpoint';
import type { LaunchedAgent } from './roots';

/** An agent and how it is reached. */
export type AgentLaunch = LaunchedAgent & Endpoint;
