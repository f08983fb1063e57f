import packageJson from '@/package.json'

/** Reported with every inventory; the same number as the console's. */
export const AGENT_VERSION: string = packageJson.version
