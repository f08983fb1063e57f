/** Something that only the operator can put right. The agent ends with exit status 78, and systemd leaves it at that. */
export class AgentSettingError extends Error {}
