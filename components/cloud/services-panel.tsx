import { Moment } from '@/components/shell/moment'
import { Unknown } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import type { CloudReadingDto } from '@/lib/schemas/api/cloud-reading'
import { formatCount } from '@/lib/util/format'
import { formatMs } from './format-ms'
import { SERVICE_WORDS } from './part-words'

type Service = CloudReadingDto['services'][number]

const ServiceRow = ({ service }: { service: Service }) => (
  <Tr>
    <Td className="whitespace-nowrap font-[550]">{SERVICE_WORDS[service.service]}</Td>
    <Td>
      {service.error === null ? (
        <Tag tone={service.requests === 0 ? 'quiet' : 'accent'}>
          {service.requests === 0 ? 'not asked' : 'answers'}
        </Tag>
      ) : (
        <Tag tone="bad">fails</Tag>
      )}
    </Td>
    <Td className="font-mono text-small">
      {service.version ?? (
        <Unknown
          reason={
            service.service === 'neutron'
              ? "Neutron's API has no microversions"
              : 'the version has not been read yet'
          }
        />
      )}
    </Td>
    <Td isNumber>{formatCount(service.requests)}</Td>
    <Td isNumber className="whitespace-nowrap">
      {formatMs(service.ms)}
    </Td>
    <Td className="min-w-64 max-w-[60ch]">
      {service.lastError === null ? (
        <span className="text-ink3">none seen</span>
      ) : (
        <>
          <span className="break-words">{service.lastError}</span>{' '}
          <span className="text-ink3 text-small">
            <Moment at={service.lastErrorAt} />
          </span>
        </>
      )}
    </Td>
  </Tr>
)

/** The requests and duration of each service in the last round, and its last error. */
export const ServicesPanel = ({ services }: { services: readonly Service[] }) => (
  <Panel title="Services" note="in the last round">
    <SideScroll className="-mb-3">
      <Table>
        <thead>
          <tr>
            <Th>Service</Th>
            <Th>State</Th>
            <Th>API version</Th>
            <Th isNumber>Requests</Th>
            <Th isNumber>Time</Th>
            <Th>Last error</Th>
          </tr>
        </thead>
        <tbody>
          {services.map((service) => (
            <ServiceRow key={service.service} service={service} />
          ))}
        </tbody>
      </Table>
    </SideScroll>
  </Panel>
)
