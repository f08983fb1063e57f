import { listText } from '../../wording'
import { canonicalLayout, type LayoutType, type MdevLayout } from './mdev-layout'

/** One thing that a layout changes, as words after the type: `nvidia-320: 0000:18:00.0 is added`. */
export type LayoutDifference = { typeId: string; text: string }

const addressesOf = ({ addresses }: LayoutType): readonly string[] => addresses ?? []

const wordsOf = (type: LayoutType): string =>
  type.addresses === null ? 'for all parents that no type lists' : `for ${listText([...type.addresses])}`

const optionText = (name: string, before: string | number | null, after: string | number | null): string[] =>
  before === after
    ? []
    : [
        after === null
          ? `${name} ${before} is removed`
          : `${name} is ${after}${before === null ? '' : ` instead of ${before}`}`,
      ]

const changesOf = (before: LayoutType, after: LayoutType): string[] => {
  const [had, has] = [addressesOf(before), addressesOf(after)]
  const comes = has.filter((address) => !had.includes(address))
  const goes = had.filter((address) => !has.includes(address))
  return [
    ...((before.addresses === null) === (after.addresses === null)
      ? []
      : [`the type is now ${wordsOf(after)}`]),
    ...(comes.length === 0 || before.addresses === null
      ? []
      : [`${listText(comes)} ${comes.length === 1 ? 'is' : 'are'} added`]),
    ...(goes.length === 0 || after.addresses === null
      ? []
      : [`${listText(goes)} ${goes.length === 1 ? 'is' : 'are'} removed`]),
    ...optionText('mdev_class', before.mdevClass, after.mdevClass),
    ...optionText('max_instances', before.maxInstances, after.maxInstances),
  ]
}

/**
 * What a requested layout changes on a host; empty if nova-compute would do the same. The order of types matters to Nova
 * only if several have no addresses, which is refused. `before` null: nova.conf could not be read.
 */
export const diffLayouts = (before: MdevLayout | null, after: MdevLayout): LayoutDifference[] => {
  const [had, has] = [before === null ? [] : canonicalLayout(before).types, canonicalLayout(after).types]
  const came = has.flatMap((type): LayoutDifference[] => {
    const old = had.find(({ typeId }) => typeId === type.typeId)
    const texts = old === undefined ? [`the type is added ${wordsOf(type)}`] : changesOf(old, type)
    return texts.map((text) => ({ typeId: type.typeId, text }))
  })
  const went = had
    .filter(({ typeId }) => !has.some((type) => type.typeId === typeId))
    .map(({ typeId }) => ({ typeId, text: 'the type is removed' }))
  return [...came, ...went]
}
