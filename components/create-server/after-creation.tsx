import { Unknown } from '@/components/ui/key-values'
import { Table, TablePanel, Td, Th, Tr } from '@/components/ui/table'
import { leftOf } from '@/lib/domain/create-server/after-creation'
import type { CatalogFlavor } from '@/lib/schemas/api/catalog'
import type { ServerChoices } from '@/lib/schemas/api/create-server'
import { classNames } from '@/lib/util/class-names'
import { formatMoney } from '@/lib/util/format-money'
import { formatQuota, quotaLabel } from './create-server-text'

type Need = NonNullable<ServerChoices['quota']['items']>[number]

const rowHead = 'border-line2 border-b px-2.5 py-1 text-left font-normal [tr:last-child>&]:border-b-0'

const Left = ({ need }: { need: Need }) => {
  if (need.limit === null) return 'no limit'
  const left = leftOf(need)
  if (left === null) return <Unknown reason="the use of your project could not be read" />
  return (
    <span className={classNames(left.isShort && 'text-bad')}>
      <span className="whitespace-nowrap">
        {formatQuota(need, left.before)} <span aria-hidden>→</span>
      </span>
      <span className="sr-only">before,</span>{' '}
      <b className="whitespace-nowrap font-semibold">
        {left.isShort ? 'not enough' : formatQuota(need, left.after)}
      </b>
      <span className="sr-only"> after</span>
    </span>
  )
}

/** What the server uses of the quota of the project, what is left then, and what the server costs. */
export const AfterCreation = ({
  quota,
  price,
}: {
  quota: ServerChoices['quota']
  price: CatalogFlavor['pricePerHour']
}) =>
  quota.items === null ? (
    <p className="text-small text-warn">{quota.problem}</p>
  ) : (
    <TablePanel>
      <Table>
        <caption className="sr-only">Quota after creation</caption>
        <thead>
          <tr>
            <Th>After creation</Th>
            <Th isNumber>Uses</Th>
            <Th isNumber>Quota left</Th>
          </tr>
        </thead>
        <tbody>
          {quota.items.map((need) => (
            <Tr key={need.resourceName}>
              <th scope="row" className={rowHead}>
                {quotaLabel(need.resourceName)}
              </th>
              <Td isNumber className="whitespace-nowrap !py-1">
                {formatQuota(need, need.needs)}
              </Td>
              <Td isNumber className="!py-1">
                <Left need={need} />
              </Td>
            </Tr>
          ))}
          {price === null ? null : (
            <Tr>
              <th scope="row" className={rowHead}>
                Price
              </th>
              <Td className="!py-1" />
              <Td isNumber className="!py-1">
                <b className="font-semibold">{formatMoney(price)}</b> per hour
              </Td>
            </Tr>
          )}
        </tbody>
      </Table>
    </TablePanel>
  )
