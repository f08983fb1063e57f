import { PUBLISHED_ROWS, PUBLISHED_SOURCES } from './published-type-table'
import { parseTypeName, type TypeName } from './type-name'

/**
 * Decimal ids of vGPU types that NVIDIA's drivers and others have published, by the GPU's name in the type name:
 * `<id>:<rest>`. Only GPUs that come with vendor VFIO, where a running type has an id and no name.
 * Sources: vgpuConfig.xml of driver 510.47.03, device dumps in harvester/pcidevices bdd8025.
 */
const PUBLISHED_TYPE_IDS: Readonly<Record<string, string>> = {
  A2: '742:1B 743:2B 744:1Q 745:2Q 746:4Q 747:8Q 748:16Q 749:1A 750:2A 751:4A 752:8A 753:16A 754:4C 755:8C 756:16C',
  A10: '588:1B 589:2B 590:1Q 591:2Q 592:3Q 593:4Q 594:6Q 595:8Q 596:12Q 597:24Q 598:1A 599:2A 600:3A 601:4A 602:6A 603:8A 604:12A 605:24A 610:4C 611:6C 612:8C 613:12C 614:24C',
  A16: '709:1B 710:2B 711:1Q 712:2Q 713:4Q 714:8Q 715:16Q 716:1A 717:2A 718:4A 719:8A 720:16A 721:4C 722:8C 723:16C',
  A30: '684:4C 685:6C 686:8C 687:12C 688:24C 689:1-6C 690:2-12C 691:4-24C 708:1-6CME',
  A40: '555:1B 556:2B 557:1Q 558:2Q 559:3Q 560:4Q 561:6Q 562:8Q 563:12Q 564:16Q 565:24Q 566:48Q 567:1A 568:2A 569:3A 570:4A 571:6A 572:8A 573:12A 574:16A 575:24A 576:48A 581:4C 582:6C 583:8C 584:12C 585:16C 586:24C 587:48C',
  A100: '468:4C 469:5C 470:8C 471:10C 472:20C 473:40C 474:1-5C 475:2-10C 476:3-20C 477:4-20C 478:7-40C 706:1-5CME',
  A100D:
    '692:4C 693:8C 694:10C 695:16C 696:20C 697:40C 698:80C 699:1-10C 700:2-20C 701:3-40C 702:4-40C 703:7-80C 707:1-10CME',
  A100DX:
    '615:4C 616:8C 617:10C 618:16C 619:20C 620:40C 621:80C 622:1-10C 623:2-20C 624:3-40C 625:4-40C 626:7-80C 705:1-10CME',
  A100X:
    '457:4C 458:5C 459:8C 460:10C 461:20C 462:40C 463:1-5C 464:2-10C 465:3-20C 466:4-20C 467:7-40C 704:1-5CME',
  RTXA5000:
    '657:1B 658:2B 659:1Q 660:2Q 661:3Q 662:4Q 663:6Q 664:8Q 665:12Q 666:24Q 667:1A 668:2A 669:3A 670:4A 671:6A 672:8A 673:12A 674:24A 675:4C 676:6C 677:8C 678:12C 679:24C',
  RTXA5500:
    '771:1B 772:2B 773:1Q 774:2Q 775:3Q 776:4Q 777:6Q 778:8Q 779:12Q 780:24Q 781:1A 782:2A 783:3A 784:4A 785:6A 786:8A 787:12A 788:24A 793:4C 794:6C 795:8C 796:12C 797:24C',
  RTXA6000:
    '522:1B 523:2B 524:1Q 525:2Q 526:3Q 527:4Q 528:6Q 529:8Q 530:12Q 531:16Q 532:24Q 533:48Q 534:1A 535:2A 536:3A 537:4A 538:6A 539:8A 540:12A 541:16A 542:24A 543:48A 548:4C 549:6C 550:8C 551:12C 552:16C 553:24C 554:48C',
  L40S: '1145:1B 1146:2B 1147:1Q 1148:2Q 1149:3Q 1150:4Q 1151:6Q 1152:8Q 1153:12Q 1154:16Q 1155:24Q 1156:48Q 1157:1A 1158:2A 1159:3A 1160:4A 1161:6A 1162:8A 1163:12A 1164:16A 1165:24A 1166:48A 2164:3B',
  H200X: '1414:1-18C 1428:141C',
  DC: '1518:2B 1519:3Q 1550:1-2Q 1561:1-24Q',
}

/** A card as far as the published table distinguishes cards. */
export type PublishedCard = {
  /** Null: unknown. */
  model: string | null
  /** Null: unknown. */
  framebufferMib: number | null
}

/** What was published of a vGPU type on a card. */
export type PublishedType = {
  shortName: string
  /** Per physical GPU, all of one size. */
  maxPerGpu: number
  /** Per GPU instance, where several vGPUs share one; null: not published. */
  maxPerInstance: number | null
  framebufferMib: number | null
  /** Where it was published, and when. */
  source: string
}

const plain = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')

/**
 * Recognizes models of the chip that type names begin with: `RTXA6000` finds `NVIDIA RTX A6000`, `A100DX` finds
 * `NVIDIA A100-SXM4-80GB`. Letters after the number differ between models and types.
 */
const chipPattern = (gpu: string): RegExp | null => {
  const chip = /^[A-Z]*\d+/.exec(plain(gpu))?.[0]
  return chip === undefined ? null : new RegExp(`${[...chip].join('[^A-Z0-9]*')}(?!\\d)`, 'i')
}

type Entry = { row: (typeof PUBLISHED_ROWS)[number]; chip: RegExp | null; type: PublishedType }

/** A model without a name is shown by its PCI id: `NVIDIA 10de:2bb9`. */
const isNamed = (model: string): boolean => !/(^|\s)[0-9a-f]{4}:[0-9a-f?]{4}$/.test(model)

/** Rows that name a card hold for that card only; the others hold unless the card's name is of another chip. */
const isOfCard = ({ row, chip }: Pick<Entry, 'row' | 'chip'>, card: PublishedCard): boolean => {
  const model = card.model !== null && isNamed(card.model) ? card.model : null
  if (row.model !== undefined) return model !== null && plain(model).includes(plain(row.model))
  return model === null || chip === null || chip.test(model)
}

/** Names of types round the framebuffer up, and ECC takes a part of it. */
const TOLERANCE = 1.15

const isTooLarge = ({ maxPerGpu, framebufferMib }: PublishedType, card: PublishedCard): boolean =>
  card.framebufferMib !== null &&
  framebufferMib !== null &&
  maxPerGpu * framebufferMib > card.framebufferMib * TOLERANCE

const perInstance = (slices: number | undefined, name: TypeName | null, maxPerGpu: number): number | null =>
  slices === undefined || name === null || name.migSlices === null
    ? null
    : Math.floor(maxPerGpu / Math.max(1, Math.floor(slices / name.migSlices)))

const readEntry = (row: (typeof PUBLISHED_ROWS)[number], entry: string): PublishedType | null => {
  const match = /^([^:]+):(\d+)(?:@(\d+))?$/.exec(entry)
  if (match === null) return null
  const shortName = `${row.gpu}-${match[1]}`
  const name = parseTypeName(shortName)
  const nominal = name?.nominalGib ?? 0
  const { source, date } = PUBLISHED_SOURCES[row.from]
  const maxPerGpu = Number(match[2])
  return {
    shortName,
    maxPerGpu,
    maxPerInstance: perInstance(row.slices, name, maxPerGpu),
    framebufferMib: match[3] !== undefined ? Number(match[3]) : nominal === 0 ? null : nominal * 1024,
    source: `${source} (${date})`,
  }
}

let entriesByName: ReadonlyMap<string, Entry[]> | null = null

const readEntries = (): ReadonlyMap<string, Entry[]> => {
  const entries = PUBLISHED_ROWS.flatMap((row) => {
    const chip = chipPattern(row.gpu)
    return row.types.split(' ').flatMap((text): Entry[] => {
      const type = readEntry(row, text)
      return type === null ? [] : [{ row, chip, type }]
    })
  })
  const byName = new Map<string, Entry[]>()
  for (const entry of entries)
    byName.set(entry.type.shortName, [...(byName.get(entry.type.shortName) ?? []), entry])
  return byName
}

const findEntry = (shortName: string, card: PublishedCard): PublishedType | null => {
  entriesByName ??= readEntries()
  const found = entriesByName
    .get(shortName)
    ?.find((entry) => isOfCard(entry, card) && !isTooLarge(entry.type, card))
  return found?.type ?? null
}

/**
 * A, B and Q types of one size have one maximum in each published table (NVIDIA Virtual GPU Software User Guide 8.0, 1.4.1;
 * sysfs of an A2). C types may have a lower one.
 */
const SAME_MAXIMUM: readonly TypeName['series'][] = ['Q', 'B', 'A']

const nameWith = (name: TypeName, series: TypeName['series']): string =>
  `${name.gpu}-${name.migSlices === null ? '' : `${name.migSlices}-`}${name.nominalGib}${series}`

/** The published type of a short name (`L40S-16Q`) on a card; null when the table has none for the card. */
export const publishedType = (shortName: string, card: PublishedCard): PublishedType | null => {
  const name = parseTypeName(shortName)
  if (name === null) return null
  const own = findEntry(shortName, card)
  if (own !== null) return own
  if (name.attribute !== null || !SAME_MAXIMUM.includes(name.series)) return null
  for (const series of SAME_MAXIMUM) {
    const sister = findEntry(nameWith(name, series), card)
    if (sister !== null) return { ...sister, shortName, source: `${sister.shortName} in ${sister.source}` }
  }
  return null
}

/** The published types of a card, each once. */
export const publishedTypesOf = (card: PublishedCard): PublishedType[] => {
  entriesByName ??= readEntries()
  return [...entriesByName.keys()].flatMap((shortName) => findEntry(shortName, card) ?? [])
}

/** The slices of a type that fills the card alone; 0: it does not, or is not MIG-backed. */
const slicesOf = ({ type: { shortName, maxPerGpu } }: Entry): number =>
  (maxPerGpu === 1 && parseTypeName(shortName)?.migSlices) || 0

let largestByGpu: ReadonlyMap<string, Entry[]> | null = null

const readLargest = (): ReadonlyMap<string, Entry[]> => {
  const byGpu = new Map<string, Entry[]>()
  for (const entry of [...readEntries().values()].flat())
    if (slicesOf(entry) > 0) byGpu.set(entry.row.gpu, [...(byGpu.get(entry.row.gpu) ?? []), entry])
  return byGpu
}

/**
 * The compute slices that MIG divides a card into, and the framebuffer of the type that has all of them, by the name of any of
 * its MIG-backed types. Null: not published.
 */
export const publishedSlices = (
  shortName: string,
  card: PublishedCard,
): { compute: number; memoryMib: number | null } | null => {
  largestByGpu ??= readLargest()
  const [largest] = (largestByGpu.get(parseTypeName(shortName)?.gpu ?? '') ?? [])
    .filter((entry) => isOfCard(entry, card))
    .toSorted((a, b) => slicesOf(b) - slicesOf(a))
  return largest === undefined ? null : { compute: slicesOf(largest), memoryMib: largest.type.framebufferMib }
}

let namesById: ReadonlyMap<string, string> | null = null

const readNames = (): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(PUBLISHED_TYPE_IDS).flatMap(([gpu, entries]) =>
      entries.split(' ').map((entry): [string, string] => {
        const [id, rest] = entry.split(':')
        return [`nvidia-${id}`, `${gpu}-${rest}`]
      }),
    ),
  )

/** The published short name of a type id: `L40S-16Q` for `nvidia-1154`; null when the table has none. */
export const publishedTypeName = (typeId: string): string | null => {
  namesById ??= readNames()
  return namesById.get(typeId) ?? null
}

/** The published type id of a short name: `nvidia-1154` for `L40S-16Q`; null when the table has none. */
export const publishedTypeId = (shortName: string): string | null => {
  namesById ??= readNames()
  return [...namesById].find(([, name]) => name === shortName)?.[0] ?? null
}

/** Published types with known ids of a card whose type names begin with `gpu`; empty when none is known. */
export const publishedIdsOf = (
  gpu: string,
  card: PublishedCard,
): { typeId: string; type: PublishedType }[] => {
  const entries = Object.hasOwn(PUBLISHED_TYPE_IDS, gpu) ? (PUBLISHED_TYPE_IDS[gpu] ?? '') : ''
  return entries.split(' ').flatMap((entry) => {
    const [id, rest] = entry.split(':')
    const type = rest === undefined ? null : publishedType(`${gpu}-${rest}`, card)
    return type === null ? [] : [{ typeId: `nvidia-${id}`, type }]
  })
}
