import { savePngOfText, saveSvgText } from '@/components/charts/save-chart'
import type { CapacityWeek } from '@/lib/schemas/api/capacity-week'
import { vgpus } from './capacity-labels'
import { WEEKDAYS, type WeekFigure, weekTint } from './week-labels'

const CELL = { width: 40, height: 24 }
const LEFT = 52
const TOP = 52
const EDGE = 8

/** The values of the page's style sheet that a separate file has to contain. */
export type PictureColours = { panel: string; accent: string; ink: string; font: string }

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The hours of the week as an SVG file: its title, and 7 rows of 24 numbers on the tint that the page gives them. */
export const weekPicture = (
  data: CapacityWeek,
  { figure, title, colours }: { figure: WeekFigure; title: string; colours: PictureColours },
): { text: string; width: number; height: number } => {
  const [width, height] = [LEFT + 24 * CELL.width + EDGE, TOP + data.days.length * CELL.height + EDGE]
  const tintOf = weekTint(data, figure)
  const words = (x: number, y: number, text: string, more = ''): string =>
    `<text x="${x}" y="${y}"${more}>${escaped(text)}</text>`
  const middle = ' text-anchor="middle"'
  const hours = Array.from({ length: 24 }, (_, hour) =>
    words(LEFT + (hour + 0.5) * CELL.width, TOP - 8, String(hour).padStart(2, '0'), middle),
  )
  const rows = data.days.flatMap((day, row) => [
    words(EDGE, TOP + row * CELL.height + 16, WEEKDAYS[row]?.slice(0, 3) ?? ''),
    ...day[figure].flatMap((value, hour) => {
      const [x, y] = [LEFT + hour * CELL.width, TOP + row * CELL.height]
      const rectangle = `x="${x + 1}" y="${y + 1}" width="${CELL.width - 2}" height="${CELL.height - 2}"`
      return [
        `<rect ${rectangle} fill="${escaped(colours.accent)}" fill-opacity="${tintOf(value) / 100}"/>`,
        words(x + CELL.width / 2, y + 16, vgpus(value) ?? '–', middle),
      ]
    }),
  ])
  const text = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="100%" height="100%" fill="${escaped(colours.panel)}"/>`,
    `<g fill="${escaped(colours.ink)}" font-family="${escaped(colours.font)}" font-size="12">`,
    words(EDGE, 18, title, ' font-size="13"'),
    ...hours,
    ...rows,
    '</g></svg>',
  ].join('')
  return { text, width, height }
}

const coloursOf = (): PictureColours => {
  const paper = getComputedStyle(document.body)
  return {
    panel: paper.getPropertyValue('--panel'),
    accent: paper.getPropertyValue('--accent'),
    ink: paper.color,
    font: paper.fontFamily,
  }
}

/** Saves the picture in the page's colors. */
export const saveWeekPicture = (
  data: CapacityWeek,
  { kind, figure, title, name }: { kind: 'svg' | 'png'; figure: WeekFigure; title: string; name: string },
): void => {
  const picture = { ...weekPicture(data, { figure, title, colours: coloursOf() }), name }
  void (kind === 'svg' ? saveSvgText(picture) : savePngOfText(picture))
}
