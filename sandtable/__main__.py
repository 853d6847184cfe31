from sandtable.cli import main

main()
