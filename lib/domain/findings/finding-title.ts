import { HOST_FINDINGS } from '@/lib/domain/host-findings/registry'
import { CLOUD_FINDING_TITLES } from './cloud/codes'

const CLOUD_TITLES: Readonly<Record<string, string>> = CLOUD_FINDING_TITLES

/** The sentence for a group of findings; a code of a newer console stands for itself. */
export const findingTitle = (code: string): string =>
  HOST_FINDINGS[code]?.title ?? CLOUD_TITLES[code] ?? code.replaceAll('-', ' ')
