import { FINDING_TITLES } from '@/lib/domain/host-findings/codes'
import { CLOUD_FINDING_TITLES } from './cloud/codes'

const TITLES: Readonly<Record<string, string>> = { ...FINDING_TITLES, ...CLOUD_FINDING_TITLES }

/** The sentence for a group of findings; a code of a newer console stands for itself. */
export const findingTitle = (code: string): string => TITLES[code] ?? code.replaceAll('-', ' ')
