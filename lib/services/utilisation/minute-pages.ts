import 'server-only'
import { pack, unpack } from '@/lib/domain/history/pack-numbers'
import { HOUR_MS, MINUTE_MS } from '@/lib/domain/history/series'
import type { Sample, SeriesName } from '@/lib/domain/utilisation/sample'
import { decodePage, type PageSeries } from '@/lib/domain/utilisation/usage-codec'
import type { Query } from '@/lib/server/database/database'
import { loadRawPages, type RawPage, rawPage, STEPS, squeeze, unsqueeze } from './page-rows'

const { form } = STEPS.minute
/** When in its minute each sample was taken: of two the later one counts. */
const SECONDS = 'seconds'

type Range = { hostIds: readonly number[]; from: number; until: number }

const samplesOf = (
  begin: number,
  { seconds, series }: { seconds: readonly number[]; series: readonly PageSeries[] },
  names: ReadonlyMap<number, SeriesName>,
): Sample[] =>
  seconds.flatMap((second, minute): Sample[] => {
    if (second === 0) return []
    const readings = series.flatMap(({ id, slots }) => {
      const slot = slots[minute]
      const name = names.get(id)
      if (slot === null || slot === undefined || name === undefined) return []
      return [
        {
          address: name.address,
          vgpu: name.vgpu,
          guest: name.guest,
          utilisation: slot.utilisation?.average ?? null,
          usedMib: slot.usedMib?.average ?? null,
          totalMib: slot.totalMib,
        },
      ]
    })
    return [{ at: begin + minute * MINUTE_MS + (second - 1) * 1000, readings }]
  })

/** The samples that stand in minute pages of one host, of the hours that begin in the range. `names` by series number. */
export const loadMinuteSamples = async (
  query: Query,
  { names, ...range }: Range & { names: ReadonlyMap<number, SeriesName> },
): Promise<Sample[]> => {
  const rows = await loadRawPages(query, { step: 'minute', kinds: ['pgpu', 'vgpu', SECONDS], ...range })
  const hours = new Map<number, { seconds: number[]; series: PageSeries[] }>()
  for (const { begin, kind, slots } of rows) {
    const hour = hours.get(begin.getTime()) ?? { seconds: [], series: [] }
    hours.set(begin.getTime(), hour)
    if (kind === SECONDS) hour.seconds = unpack(unsqueeze(slots))
    else hour.series.push(...decodePage(unsqueeze(slots), form))
  }
  return [...hours].flatMap(([begin, hour]) => samplesOf(begin, hour, names))
}

/** The pages of one hour. `series` by kind. */
export const minutePages = (
  begin: number,
  samples: readonly Sample[],
  series: { pgpu: readonly PageSeries[]; vgpu: readonly PageSeries[] },
): RawPage[] => {
  const seconds = new Array<number>(form.length).fill(0)
  for (const { at } of samples) {
    if (at < begin || at >= begin + HOUR_MS) continue
    seconds[Math.floor((at - begin) / MINUTE_MS)] = Math.floor((at % MINUTE_MS) / 1000) + 1
  }
  return [
    { step: 'minute', kind: SECONDS, begin, hex: squeeze(pack(seconds)) },
    rawPage({ step: 'minute', kind: 'pgpu', begin, series: series.pgpu }),
    rawPage({ step: 'minute', kind: 'vgpu', begin, series: series.vgpu }),
  ]
}
