import type { GpuSources } from '@/lib/schemas/api/sources'

export type Sources = NonNullable<GpuSources['sources']>
export type SourceRow = Sources['rows'][number]
export type SourceCell = SourceRow[SourceColumn]

export const SOURCE_COLUMNS = ['hardware', 'novaConf', 'placement', 'libvirt'] as const
export type SourceColumn = (typeof SOURCE_COLUMNS)[number]

export const COLUMN_LABELS: Record<SourceColumn, string> = {
  hardware: 'Hardware',
  novaConf: 'nova.conf',
  placement: 'Placement',
  libvirt: 'libvirt',
}

/** Why a cell is the odd one out; null for every other cell. */
export const oddBecause = ({ disagree }: SourceRow, column: SourceColumn): string | null =>
  disagree?.column === column ? disagree.because : null

/**
 * "1 disagreement: Placement on capacity". Old values are not compared, so then the absence of disagreements means
 * nothing.
 */
export const agreementText = ({ rows, times }: Pick<Sources, 'rows' | 'times'>): string => {
  const odd = rows.flatMap(({ label, disagree }) =>
    disagree === null
      ? []
      : [`${COLUMN_LABELS[disagree.column]} on ${label.charAt(0).toLowerCase()}${label.slice(1)}`],
  )
  const old = SOURCE_COLUMNS.filter((column) => times[column].note !== null)
  if (odd.length === 0 && old.length > 0)
    return `not compared: ${old.map((column) => COLUMN_LABELS[column]).join(', ')} ${old.length === 1 ? 'is' : 'are'} outdated`
  if (odd.length === 0) return 'no disagreement'
  return `${odd.length} ${odd.length === 1 ? 'disagreement' : 'disagreements'}: ${odd.join(', ')}`
}
