import { HOST_FINDINGS } from '@/lib/domain/host-findings/registry'
import { CLOUD_FINDINGS } from './cloud/registry'

/** The sentence for a group of findings; a code of a newer console stands for itself. */
export const findingTitle = (code: string): string =>
  HOST_FINDINGS[code]?.title ?? CLOUD_FINDINGS.get(code)?.title ?? code.replaceAll('-', ' ')
