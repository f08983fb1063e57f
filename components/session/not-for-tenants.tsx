import { PageTitle } from '@/components/shell/page-title'
import { EmptyState } from '@/components/ui/states'

/** What a tenant finds at the address of an admin's page: nothing of it, and the way out. */
export const NotForTenants = () => (
  <>
    <PageTitle title="Not for this project" />
    <EmptyState title="These pages are for admins and readers of the cloud">
      You work in a project, and a project's roles show nothing of the fleet; its GPU flavors stand in the
      catalogue. If you have another role, take it up by "Switch project" in the menu with your name; else ask
      an admin of the cloud for the role reader on the system.
    </EmptyState>
  </>
)
