import { describeNovaOptions } from '@/lib/domain/nova-config/describe-options'
import { listText } from '@/lib/domain/wording'
import type { Detector } from './detector'

/** Options under names that Nova has replaced; they still count. */
export const oldOptionNames: Detector = ({ inventory }) => {
  if (inventory.novaConfig === null) return []
  const old = describeNovaOptions(inventory.novaConfig).filter((option) => option.presentName !== null)
  if (old.length === 0) return []
  const items = old.map(
    (option) => `${option.file}:${option.line} ${option.name} is now ${option.presentName}`,
  )
  return [
    {
      code: 'old-option-names',
      severity: 'info',
      sentence: `nova.conf uses ${listText([...new Set(old.map((option) => option.name))])}, old names that still count`,
      detail: `${listText(items)}. Rename them before a release drops the old names; a line with the present name in the same file wins over the old one.`,
      pgpuAddress: null,
    },
  ]
}
