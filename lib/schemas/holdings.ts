/** What the list of GPUs can be filtered by: vGPUs in a state, or GPUs of silent hosts. */
export const HOLDINGS = ['used', 'spare', 'orphan', 'free', 'stranded', 'unknown', 'silent'] as const
export type Holding = (typeof HOLDINGS)[number]
