"""What people see and choose: `views`, `display`, `lookout`, `outcomes` and `options`."""
