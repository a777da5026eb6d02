module example.com/control

go 1.19
