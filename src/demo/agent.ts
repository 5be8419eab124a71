import { agent } from '@agentclientprotocol/sdk';
void agent;
