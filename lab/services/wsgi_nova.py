try:
    from nova.wsgi.osapi_compute import application  # noqa: F401
except ImportError:  # before Nova 32
    from nova.api.openstack.compute.wsgi import init_application

    application = init_application()
