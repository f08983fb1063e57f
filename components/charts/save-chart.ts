import { downloadBlob } from '@/components/ui/download-text'

/** What the page's style sheet gives to a drawing, and a file of its own has to carry. */
const STYLES = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
] as const

const NAMESPACE = 'http://www.w3.org/2000/svg'
/** Pixels of a picture for each of the page: sharp on paper. */
const SCALE = 2

/** The drawing with its colours written into it, on the page's paper, with its title above. */
const standalone = (
  drawing: SVGSVGElement,
  title: string,
): { text: string; width: number; height: number } => {
  const { width, height } = drawing.getBoundingClientRect()
  const copy = drawing.cloneNode(true) as SVGSVGElement
  const originals = drawing.querySelectorAll('*')
  copy.querySelectorAll<SVGElement>('*').forEach((element, place) => {
    const original = originals[place]
    if (original === undefined) return
    const style = getComputedStyle(original)
    for (const name of STYLES) element.setAttribute(name, style.getPropertyValue(name))
  })
  const paper = getComputedStyle(document.body)
  const head = 28
  const sheet = document.createElementNS(NAMESPACE, 'svg')
  const whole = height + head
  sheet.setAttribute('xmlns', NAMESPACE)
  sheet.setAttribute('width', String(width))
  sheet.setAttribute('height', String(whole))
  sheet.setAttribute('viewBox', `0 0 ${width} ${whole}`)
  const ground = document.createElementNS(NAMESPACE, 'rect')
  ground.setAttribute('width', '100%')
  ground.setAttribute('height', '100%')
  ground.setAttribute('fill', paper.getPropertyValue('--panel'))
  const words = document.createElementNS(NAMESPACE, 'text')
  words.setAttribute('x', '8')
  words.setAttribute('y', '18')
  words.setAttribute('fill', paper.color)
  words.setAttribute('font-family', paper.fontFamily)
  words.setAttribute('font-size', '13')
  words.textContent = title
  copy.setAttribute('y', String(head))
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  sheet.append(ground, words, copy)
  return { text: new XMLSerializer().serializeToString(sheet), width, height: whole }
}

type Picture = { drawing: SVGSVGElement; title: string; name: string }

/** Hands the chart to the reader as an SVG file, as it is drawn now. */
export const saveAsSvg = ({ drawing, title, name }: Picture): void => {
  const { text } = standalone(drawing, title)
  downloadBlob({ name: `${name}.svg`, blob: new Blob([text], { type: 'image/svg+xml' }) })
}

/** The same as a PNG of twice the pixels. */
export const saveAsPng = async ({ drawing, title, name }: Picture): Promise<void> => {
  const { text, width, height } = standalone(drawing, title)
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = Math.ceil(width * SCALE)
  canvas.height = Math.ceil(height * SCALE)
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (blob !== null) downloadBlob({ name: `${name}.png`, blob })
}
