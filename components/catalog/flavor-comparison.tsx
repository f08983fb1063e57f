import { Unknown } from '@/components/ui/key-values'
import { Table, TablePanel, Td, Th, Tr } from '@/components/ui/table'
import type { CatalogFlavor } from '@/lib/schemas/api/catalog'
import { formatMib } from '@/lib/util/format'
import { AvailabilityMark } from './availability-mark'
import {
  flavorTitle,
  formatDisplays,
  formatDrivers,
  formatLicenses,
  formatMemory,
  limitSentence,
  purposeSentence,
} from './catalog-text'
import { FlavorActions } from './flavor-actions'

const formatHeadroom = ({ headroom }: CatalogFlavor): string | null =>
  headroom.state === 'available' && headroom.more !== null
    ? `${headroom.more} more`
    : limitSentence({ headroom })

const orUnknown = (words: string | null) => words ?? <Unknown reason="not reported by the driver" />

const DriverLine = ({ flavor }: { flavor: CatalogFlavor }) => {
  const driver = formatDrivers(flavor)
  return driver === null ? null : <span className="block text-ink3 text-small">driver {driver}</span>
}

/** The same flavors line by line, to be compared. */
export const FlavorComparison = ({ flavors }: { flavors: readonly CatalogFlavor[] }) => (
  <TablePanel>
    <Table>
      <caption className="sr-only">GPU flavors of your project</caption>
      <thead>
        <tr>
          <Th>Flavor</Th>
          <Th>Free</Th>
          <Th isNumber>GPU memory</Th>
          <Th>Displays</Th>
          <Th>License</Th>
          <Th isNumber>vCPU</Th>
          <Th isNumber>Memory</Th>
          <Th isNumber>Disk</Th>
          <Th>Within your limit</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {flavors.map((flavor) => (
          <Tr key={flavor.id}>
            <th scope="row" className="min-w-48 border-line2 border-b px-2.5 py-1.5 text-left font-normal">
              <span className="block font-semibold">{flavorTitle(flavor)}</span>
              <code className="text-ink3">{flavor.name}</code>
              <span className="block text-ink2 text-small">{purposeSentence(flavor)}</span>
            </th>
            <Td>
              <AvailabilityMark flavor={flavor} />
            </Td>
            <Td isNumber className="whitespace-nowrap">
              {orUnknown(formatMemory(flavor))}
            </Td>
            <Td className="min-w-28">{orUnknown(formatDisplays(flavor))}</Td>
            <Td className="min-w-40">
              {orUnknown(formatLicenses(flavor))}
              <DriverLine flavor={flavor} />
            </Td>
            <Td isNumber>{flavor.vcpus}</Td>
            <Td isNumber className="whitespace-nowrap">
              {formatMib(flavor.memoryMib)}
            </Td>
            <Td isNumber className="whitespace-nowrap">
              {flavor.diskGib} GiB
            </Td>
            <Td className="text-ink2">{formatHeadroom(flavor)}</Td>
            <Td>
              <FlavorActions flavor={flavor} />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  </TablePanel>
)
