import { downloadCsv } from '@/components/ui/download-text'
import type { CapacityWeek } from '@/lib/schemas/api/capacity-week'
import { csvText } from '@/lib/util/encode/csv'
import type { Encoded } from '@/lib/util/encode/encoded'
import { WEEKDAYS } from './week-labels'

/** A row for each hour of the week; an unknown number is an empty field. */
export const weekCsv = ({ cloud, by, key, from, until, timeZone, days }: CapacityWeek): Encoded<'csv'> => {
  const head = ['cloud', 'by', 'key', 'from', 'until', 'time_zone', 'day', 'hour', 'used_average', 'used_max']
  const rows = days.flatMap(({ average, max }, day) =>
    average.map((value, hour) => [
      cloud,
      by,
      key,
      from,
      until,
      timeZone,
      WEEKDAYS[day] ?? '',
      hour,
      value,
      max[hour] ?? null,
    ]),
  )
  return csvText([head, ...rows])
}

/** The hours as a CSV file, named after the cloud and the minute. */
export const downloadWeek = (data: CapacityWeek): void =>
  downloadCsv({ cloud: data.cloud, what: 'hours-of-the-week', text: weekCsv(data) })
