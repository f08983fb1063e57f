from nova.api.openstack.compute.wsgi import init_application

application = init_application()
